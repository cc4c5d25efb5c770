# Compares what dpmapr reads of each release with what Python says of it, to 1e-12.
# Rscript compare.R LIBRARY FOLDER, where FOLDER has expected.json and the files that it names.
arguments <- commandArgs(TRUE)
suppressMessages(library(dpmapr, lib.loc = arguments[1]))
expected <- jsonlite::read_json(file.path(arguments[2], "expected.json"))
numbers <- function(list) vapply(list, function(one) if (is.null(one)) NaN else as.numeric(one), 0)
worst <- 0
compared <- 0
same <- function(name, what, here, there) {
  there <- numbers(there)
  if (length(here) != length(there)) stop(name, " ", what, ": ", length(here), " numbers, and Python has ", length(there))
  if (!length(here)) return()
  far <- abs(here - there) / pmax(1, abs(there))
  far[is.nan(here) & is.nan(there)] <- 0
  if (anyNA(far) || any(far > 1e-12)) stop(name, " ", what, " differs by ", max(far))
  worst <<- max(worst, far)
  compared <<- compared + length(here)
}
for (one in expected) {
  release <- read_release(file.path(arguments[2], one$file))
  invisible(capture.output(print(release)))
  parts <- if (length(release$partners)) release$partners else list(release)
  measured <- do.call(c, lapply(parts, function(part) lapply(part$measurements, function(m) list(m, part))))
  stopifnot(length(measured) == length(one$measurements))
  for (number in seq_along(measured)) {
    m <- measured[[number]][[1]]
    told <- one$measurements[[number]]
    same(one$file, "values", m$values, told$values)
    if (!is.na(m$scale[1])) same(one$file, "scales", rep_len(m$scale, m$regions), told$scales)
    if (!is.null(told$half)) same(one$file, "half", dpmapr:::half_width(m, 0.9)[1], list(told$half))
    if (m$partition != "shown") {
      region <- dpmapr:::region_of_cells(measured[[number]][[2]]$grid, m)
      region[is.na(region)] <- 0
      same(one$file, "regions", region, told$regions)
    }
    if (length(release$partners) == 0) stopifnot(nrow(dp_noisy(release, number)) == m$regions)
  }
  same(one$file, "epsilon", eval(parse(text = gsub("[^0-9./]", "", release$promise[["epsilon"]]))), list(one$epsilon))
  if (!is.null(one$bounds)) same(one$file, "bounds", as.numeric(sf::st_bbox(dpmapr:::outlines_of(release$grid, 1))), one$bounds)
  for (number in seq_along(one$layers)) {
    for (what in c("cells", "places")) for (column in names(one$layers[[number]][[what]])) {
      same(one$file, column, as.numeric(release$table$layers[[number]][[what]][[column]]), one$layers[[number]][[what]][[column]])
    }
  }
  if (length(unlist(lapply(one$layers, function(l) l$cells)))) stopifnot(inherits(dp_cells(release, "table"), "sf"))
  if (any(vapply(one$layers, function(l) length(l$places) > 0, NA))) stopifnot(inherits(dp_places(release, "table"), "sf"))
  if (release$grid$kind == "squares" && length(release$measurements)) stopifnot(inherits(dp_raster(release), "SpatRaster"))
}
cat(length(expected), "releases,", compared, "numbers, the farthest apart by", format(worst), "\n")
