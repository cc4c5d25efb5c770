# The noisy answers as drawn: signed values in points, each with the scale of its noise.

read_measurements <- function(document, grid, archive) {
  plain <- document[["measurements"]]
  if (!is.list(plain) || length(plain) > 1000) fail("its measurements contradict themselves")
  measurements <- list()
  for (number in seq_along(plain)) {
    measurements[[number]] <- read_measurement(plain[[number]], number - 1, grid, archive, measurements)
  }
  measurements
}

read_measurement <- function(plain, index, grid, archive, before) {
  regions <- whole(plain, "regions", 0, 2^31)
  partition <- words(plain, "partition")
  steps <- read_array(archive, paste0("measurement_", index), "<i8", regions)
  cells <- grid$inside * nrow(grid$layers)
  if (partition == "cells" && regions != cells) fail("a measurement has another number of regions than the grid has cells")
  shared <- list(partition = partition, regions = regions, steps = steps, epsilon = exact(plain, "epsilon"))
  if (!is.null(plain[["mechanism"]])) return(c(shared, report_parts(plain, steps)))
  lattice <- whole(plain, "lattice", 1, 2^40)
  scale <- exact(plain, "scale")
  noise <- plain[["noise"]] %||% "laplace"
  if (scale <= 0 || shared$epsilon <= 0 || !noise %in% c("laplace", "gaussian")) fail("a measurement's noise is impossible")
  parts <- switch(partition,
    cells = list(),
    labels = list(region = label_cells(archive, index, grid, regions)),
    shown = shown_parts(plain, archive, index, regions, grid),
    fail("its partition is of a kind that this version does not know; update dpmapr")
  )
  c(shared, parts, list(
    values = steps / lattice, scale = pooled_scale(plain, scale, index, archive, shared, before),
    lattice = lattice, noise = noise
  ))
}

report_parts <- function(plain, steps) {
  truth <- exact(plain, "truth")
  other <- exact(plain, "other")
  count <- whole(plain, "reports")
  list(
    values = (steps - count * other) / (truth - other), scale = NA_real_, noise = words(plain, "mechanism"),
    reports = count, elsewhere = whole(plain, "elsewhere"), truth = truth, other = other
  )
}

label_cells <- function(archive, index, grid, regions) {
  labels <- read_array(archive, paste0("partition_", index), "<i4", grid$size * nrow(grid$layers))
  if (anyNA(labels) || any(labels < -1 | labels >= regions)) fail("a measurement's regions contradict themselves")
  labels[labels < 0] <- NA
  labels + 1L
}

shown_parts <- function(plain, archive, index, regions, grid) {
  places <- read_array(archive, paste0("partition_", index), "<i8", regions) + 1
  if (regions && (any(diff(places) <= 0) || places[1] < 1 || places[regions] > grid$size)) fail("it shows cells that are not there")
  list(cell = places, threshold = exact(plain, "threshold"))
}

#' The scale of each region's noise: an answer that pools earlier ones costs, and tells, what all do
#' @noRd
pooled_scale <- function(plain, scale, index, archive, shared, before) {
  if (!isTRUE(plain[["pooled"]])) return(scale)
  pooled <- read_array(archive, paste0("pooled_", index), "u1", shared$regions)
  if (any(pooled > length(before))) fail("an answer pools questions about another region")
  losses <- c(shared$epsilon, rev(vapply(before, function(one) one$epsilon, 0)))
  scale * shared$epsilon / cumsum(losses)[pooled + 1]
}

#' The region of each in-area cell, layer after layer
#' @noRd
region_of_cells <- function(grid, measurement) {
  count <- nrow(grid$layers)
  if (measurement$partition == "cells") return(seq_len(grid$inside * count))
  if (measurement$partition == "shown") return(match(inside_cells(grid), measurement$cell))
  if (is.null(grid$mask)) measurement$region else measurement$region[rep(grid$mask, count)]
}
