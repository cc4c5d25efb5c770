# The public grid: squares, hexagons or areas, a mask of the area, and layers.

read_grid <- function(plain, archive) {
  shape <- plain[["shape"]]
  if (!is.list(shape) || !length(shape) %in% 1:2 || !all(vapply(shape, is_whole, NA))) fail("its grid has an impossible shape")
  shape <- as.numeric(unlist(shape))
  size <- prod(shape)
  if (min(shape) < 1 || size > 2^31) fail("its grid has an impossible shape")
  kind <- words(plain, "kind")
  layers <- read_layers(plain)
  if (size * nrow(layers) > 2^31) fail("its grid has an impossible shape")
  grid <- list(kind = kind, crs = words(plain, "crs"), shape = shape, size = size, layers = layers)
  if (isTRUE(plain[["masked"]])) grid$mask <- unpack_bits(read_array(archive, "mask", "u1", ceiling(size / 8)), size)
  grid$inside <- if (is.null(grid$mask)) size else sum(grid$mask)
  parts <- switch(kind,
    squares = square_parts(plain, shape),
    hexagons = list(ids = read_array(archive, "hexagons", "<u8", size), resolution = whole(plain, "resolution", 0, 15)),
    areas = area_parts(plain, archive, size),
    fail("its grid is of a kind that this version does not know; update dpmapr")
  )
  c(grid, parts)
}

square_parts <- function(plain, shape) {
  bounds <- plain[["bounds"]]
  if (length(shape) != 2 || length(bounds) != 4 || !all(vapply(bounds, is.numeric, NA))) fail("its grid contradicts itself")
  bounds <- as.numeric(unlist(bounds))
  if (!all(is.finite(bounds)) || bounds[1] >= bounds[3] || bounds[2] >= bounds[4]) fail("its grid contradicts itself")
  list(bounds = bounds)
}

area_parts <- function(plain, archive, size) {
  names <- texts(plain, "names")
  lengths <- as.numeric(unlist(plain[["lengths"]]))
  if (length(names) != size || length(lengths) != size || anyNA(lengths) || any(lengths < 1)) fail("its grid contradicts itself")
  joined <- as.raw(read_array(archive, "areas", "u1", sum(lengths)))
  list(names = names, outlines = split(joined, rep(seq_len(size), lengths)))
}

#' One row for each layer, its columns named as the survey names them; one row without columns for a plain map
#' @noRd
read_layers <- function(plain) {
  axes <- plain[["axes"]] %||% list()
  if (!is.list(axes) || length(axes) > 20) fail("its grid contradicts itself")
  sides <- list()
  for (axis in axes) {
    if (!is.null(axis[["kinds"]])) side <- texts(axis, "names")
    else if (!is.null(axis[["mean"]])) side <- paste(words(axis, "mean"), "at", texts(axis, "between"))
    else side <- span_names(texts(axis, "edges"))
    sides[[words(axis, intersect(c("kinds", "mean", "times"), names(axis))[1])]] <- side
  }
  if (!length(sides)) return(data.frame(row.names = 1L))
  if (prod(lengths(sides)) > 20000) fail("its grid has an impossible shape")
  layers <- expand.grid(rev(sides), stringsAsFactors = FALSE, KEEP.OUT.ATTRS = FALSE)
  layers[rev(seq_along(layers))]
}

#' Names of spans between declared dates: a year where it is one, else from the first edge to the next
#' @noRd
span_names <- function(edges) {
  if (length(edges) < 2) fail("its grid contradicts itself")
  first <- edges[-length(edges)]
  after <- edges[-1]
  year <- grepl("^[0-9]{4}$", first) & grepl("^[0-9]{4}$", after) & suppressWarnings(as.integer(after) == as.integer(first) + 1)
  ifelse(year, first, paste(first, "until", after))
}

inside_cells <- function(grid) if (is.null(grid$mask)) seq_len(grid$size) else which(grid$mask)

#' The polygons of cells, by their numbers in row order (row 1 in the north)
#' @noRd
outlines_of <- function(grid, cells, corners = NULL) {
  crs <- sf::st_crs(grid$crs)
  if (grid$kind == "squares") {
    width <- (grid$bounds[3] - grid$bounds[1]) / grid$shape[2]
    height <- (grid$bounds[4] - grid$bounds[2]) / grid$shape[1]
    x <- function(column) grid$bounds[1] + column * width # neighbours share their corners to the last digit
    y <- function(row) grid$bounds[4] - row * height
    boxes <- mapply(function(row, column) {
      sides <- c(x(column), x(column + 1), y(row + 1), y(row))
      sf::st_polygon(list(cbind(sides[c(1, 2, 2, 1, 1)], sides[c(3, 3, 4, 4, 3)])))
    }, (cells - 1) %/% grid$shape[2], (cells - 1) %% grid$shape[2], SIMPLIFY = FALSE)
    return(sf::st_sfc(boxes, crs = crs))
  }
  if (grid$kind == "areas") {
    return(sf::st_sfc(sf::st_as_sfc(structure(grid$outlines[cells], class = "WKB")), crs = crs))
  }
  if (is.null(corners)) return(sf::st_sfc(rep(list(sf::st_polygon()), length(cells)), crs = crs))
  sf::st_sfc(lapply(cells, function(cell) {
    ring <- corners$points[corners$cell == cell, , drop = FALSE]
    sf::st_polygon(list(rbind(ring, ring[1, ])))
  }), crs = crs)
}
