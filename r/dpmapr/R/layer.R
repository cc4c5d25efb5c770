# What is read of a release, as sf and as SpatRaster.

#' The noisy answers as drawn
#'
#' @param release what [read_release()] returned.
#' @param measurement which one of `release$measurements`; the last, on which intervals rest, if
#'   not given.
#' @return An `sf` of one row for each region: `noisy`, its total in points, signed; `scale` of its
#'   noise; `low` and `high`, within which that noise leaves the true capped total at `level`;
#'   `cells`; and the columns of layers. Its promise is `attr(, "promise")`.
#' @param level how often `low` to `high` holds.
#' @export
#' @examples
#' answers <- dp_noisy(read_release(dp_example()))
#' summary(answers$noisy)
dp_noisy <- function(release, measurement = length(release$measurements), level = 0.9) {
  check_release(release)
  check_level(level)
  if (!length(release$measurements)) fail("release: a merged map has no answers of its own; take one of release$partners", "release")
  if (!is_whole(measurement) || !measurement %in% seq_along(release$measurements)) fail(sprintf("measurement: a number from 1 to %d", length(release$measurements)), "measurement")
  one <- release$measurements[[measurement]]
  grid <- release$grid
  if (one$partition == "shown") { # of a grid that may be too large to be looked at cell by cell
    half <- half_width(one, level)
    table <- data.frame(region = seq_len(one$regions), cells = rep(1L, one$regions), noisy = one$values, scale = rep_len(one$scale, one$regions), low = one$values - half, high = one$values + half)
    return(with_promise(sf::st_sf(table, geometry = outlines_of(grid, one$cell)), release))
  }
  refuse_large(grid)
  region <- region_of_cells(grid, one)
  cells <- inside_cells(grid)
  layer <- rep(seq_len(nrow(grid$layers)), each = length(cells))
  first <- match(seq_len(one$regions), region)
  half <- half_width(one, level)
  table <- data.frame(
    region = seq_len(one$regions), cells = tabulate(region, one$regions), noisy = one$values,
    scale = rep_len(one$scale, one$regions), low = one$values - half, high = one$values + half
  )
  table <- cbind(table, grid$layers[layer[first], , drop = FALSE], row.names = NULL)
  boxes <- outlines_of(grid, cells, release$table$corners)
  geometry <- if (one$partition == "cells") boxes[rep(seq_along(cells), nrow(grid$layers))] else join_cells(boxes, region, one$regions)
  with_promise(sf::st_sf(table, geometry = geometry), release)
}

most_held <- 1e8

refuse_large <- function(grid) {
  if (grid$size * nrow(grid$layers) > most_held) fail("release: its grid is too large to be held in memory cell by cell; dp_noisy() reads what a sparse map lists", "release")
}

join_cells <- function(boxes, region, count) {
  cell <- (seq_along(region) - 1) %% length(boxes) + 1
  parts <- split(cell, factor(region, levels = seq_len(count)))
  shapes <- lapply(parts, function(members) if (length(members) == 1) boxes[[members]] else sf::st_union(boxes[members])[[1]])
  sf::st_sfc(unname(shapes), crs = sf::st_crs(boxes))
}

#' Half the width, in points, of what the noise of an answer is within
#' @noRd
half_width <- function(measurement, level) {
  if (is.na(measurement$scale[1])) {
    spread <- sqrt(measurement$reports * measurement$other * (1 - measurement$other))
    return(stats::qnorm((1 + level) / 2) * spread / (measurement$truth - measurement$other))
  }
  steps <- measurement$scale * measurement$lattice
  if (measurement$noise == "gaussian") return(ceiling(stats::qnorm((1 + level) / 2) * steps) / measurement$lattice)
  # the smallest q with P(|N| > q) = 2 p^(q + 1) / (1 + p) <= 1 - level, p = exp(-1 / steps)
  pmax(0, ceiling(-steps * log((1 - level) * (1 + exp(-1 / steps)) / 2)) - 1) / measurement$lattice
}

#' Cells and places of a release, with estimates and intervals
#'
#' They are derived from the noisy answers: by the dpmap command where it is there ([dp_find()]),
#' else they are those that the file carries, which dpmap wrote when the map was made. A file of
#' before 0.3, or one saved without them, carries none.
#'
#' `dp_cells()` has a row for each cell, `dp_places()` for each of the smallest places of which
#' the density can be told. `estimate`, `low` and `high` are capped totals in points.
#' @param release what [read_release()] returned.
#' @param from `"auto"`, the `"command"` alone, or the `"table"` that the file carries alone.
#' @return An `sf`; `attr(, "promise")` and `attr(, "statement")` say what was promised.
#' @export
#' @examples
#' release <- read_release(dp_example())
#' head(dp_cells(release, from = "table"))
#' head(dp_places(release, from = "table"))
dp_cells <- function(release, from = c("auto", "command", "table")) derived(release, "cells", match.arg(from))

#' @rdname dp_cells
#' @export
dp_places <- function(release, from = c("auto", "command", "table")) derived(release, "places", match.arg(from))

derived <- function(release, what, from) {
  check_release(release)
  if (any(vapply(release$measurements, function(one) one$partition == "shown", NA))) {
    fail("release: a sparse map tells only what it lists; dp_noisy() reads that", "release")
  }
  if (from == "auto") from <- if (dp_here() && !is.null(release$path)) "command" else "table"
  frames <- if (from == "command") command_layers(release, what) else table_layers(release, what)
  with_promise(do.call(rbind, frames), release)
}

table_layers <- function(release, what) {
  table <- release$table
  if (is.null(table)) fail("this release carries no estimates; install dpmap (dp_find() says where it looks), or use dp_noisy()", "from")
  frames <- lapply(table$layers, function(layer) {
    values <- layer[[what]]
    if (is.null(values)) return(NULL)
    boxes <- outlines_of(release$grid, inside_cells(release$grid), table$corners)
    named <- function(columns) do.call(data.frame, c(list(columns), layer_columns(release, layer$names), check.names = FALSE))
    if (what == "cells") return(sf::st_sf(named(cbind(cell = inside_cells(release$grid), values)), geometry = boxes))
    geometry <- join_cells(boxes, replace(layer$place, layer$place == 0, NA), nrow(values))
    sf::st_sf(named(cbind(place = seq_len(nrow(values)), values)), geometry = geometry)
  })
  frames <- Filter(Negate(is.null), frames)
  if (!length(frames)) fail(sprintf("this release carries no %s; they need the dpmap command (dp_find())", what), "from")
  frames
}

layer_columns <- function(release, names) stats::setNames(as.list(names), colnames(release$grid$layers)[seq_along(names)])

with_promise <- function(table, release) {
  attr(table, "promise") <- release$promise
  attr(table, "statement") <- release$table$statement %||% dp_promise(release)
  table
}

check_level <- function(level) {
  if (!is.numeric(level) || length(level) != 1 || is.na(level) || level <= 0 || level >= 1) fail("level: a probability between 0 and 1, like 0.9", "level")
}

#' A release of square cells as a raster
#'
#' @param release what [read_release()] returned.
#' @param column a column of [dp_cells()], or `"noisy"`, the noisy total of each cell that was
#'   measured by itself or of the region that it lies in, as drawn.
#' @return A `SpatRaster` of a layer for each of the map's.
#' @export
#' @examples
#' dp_raster(read_release(dp_example()), "noisy")
dp_raster <- function(release, column = "noisy") {
  check_release(release)
  grid <- release$grid
  if (grid$kind != "squares") fail("release: only a map of squares is a raster; use dp_cells()", "release")
  if (!length(release$measurements) && column == "noisy") fail("column: a merged map has no answers of its own; take one of release$partners", "column")
  refuse_large(grid)
  count <- nrow(grid$layers)
  values <- matrix(NA_real_, grid$size, count)
  if (column == "noisy") {
    one <- release$measurements[[length(release$measurements)]]
    values[inside_cells(grid), ] <- one$values[region_of_cells(grid, one)]
  } else {
    cells <- dp_cells(release)
    if (!column %in% names(cells)) fail(paste("column: one of", paste(setdiff(names(cells), "geometry"), collapse = ", ")), "column")
    count <- nrow(cells) / grid$inside
    values <- matrix(NA_real_, grid$size, count)
    values[inside_cells(grid), ] <- as.numeric(cells[[column]])
  }
  raster <- terra::rast(
    nrows = grid$shape[1], ncols = grid$shape[2], nlyrs = count, crs = grid$crs,
    xmin = grid$bounds[1], ymin = grid$bounds[2], xmax = grid$bounds[3], ymax = grid$bounds[4]
  )
  terra::values(raster) <- values
  if (count == nrow(grid$layers) && count > 1) names(raster) <- do.call(paste, c(grid$layers, sep = ", "))
  else if (count == 1) names(raster) <- column
  raster
}

#' Draw a release
#'
#' Places in the colour of their density where they are known, the darker the more; else the
#' noisy answers. Land that is not told apart from its surroundings is grey.
#' @param x what [read_release()] returned.
#' @param column the column to draw.
#' @param ... for `plot()` of sf.
#' @return `x`, invisibly.
#' @method plot dpmap_release
#' @export
#' @examples
#' plot(read_release(dp_example()))
plot.dpmap_release <- function(x, column = NULL, ...) {
  table <- tryCatch(dp_places(x), dpmap_error = function(one) dp_noisy(x))
  column <- column %||% intersect(c("per_km2", "mean", "noisy"), names(table))[1]
  if (!column %in% names(table)) fail(paste("column: one of", paste(setdiff(names(table), "geometry"), collapse = ", ")), "column")
  if (is.numeric(table[[column]]) && "told" %in% names(table)) table[[column]][!table$told] <- NA
  title <- one_line(sprintf("%s: %s", x$receipt[["dataset"]], if (column == "per_km2") "points per km2" else column))
  values <- unique(stats::na.omit(table[[column]]))
  if (is.numeric(values) && length(values) == 1) title <- paste(title, "=", signif(values, 2)) # sf draws no key of one colour
  shown <- list(table[column], main = title)
  if (is.numeric(table[[column]]) && !all(is.na(table[[column]]))) {
    shown$breaks <- classes(table[[column]])
    shown$pal <- function(n) grDevices::hcl.colors(n, "YlOrBr", rev = TRUE)
    shown$border <- "grey70"
  }
  unknown <- sf::st_geometry(table)[is.na(table[[column]])]
  if (length(unknown)) shown$reset <- FALSE
  do.call(plot, utils::modifyList(shown, list(...)))
  if (length(unknown)) {
    plot(unknown, col = "grey85", border = "grey70", add = TRUE)
    graphics::layout(matrix(1))
  }
  invisible(x)
}

#' Edges of colour classes: evenly where there are negative numbers, else among 1, 2, 5, 10 ...
#' @noRd
classes <- function(values) {
  most <- max(values, na.rm = TRUE)
  if (min(values, na.rm = TRUE) < 0 || most <= 0) return(unique(pretty(values, 7)))
  steps <- as.vector(outer(c(1, 2, 5), 10^(floor(log10(most)) + -2:1)))
  last <- which(steps >= most)[1]
  c(0, steps[max(1, last - 5):last])
}
