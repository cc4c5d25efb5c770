#' Open a release file of dpmap
#'
#' Reads `release.dpmap` by itself: no Python is needed. Everything in it is public. A file of a
#' stranger may be opened: nothing in it is run or unpacked to disk, and no size in it is believed
#' before it is checked.
#'
#' @param path a `release.dpmap`.
#' @return An object of class `dpmap_release`, a list of `grid`, `measurements` (noisy `values` in
#'   points as drawn, their `scale`, `noise`, `epsilon` and `partition`), `promise`, `receipt`,
#'   `partners` of a merged map, and `table`, the estimates that the file carries, or `NULL`.
#' @seealso [dp_noisy()], [dp_cells()], [dp_places()], [dp_raster()]
#' @export
#' @examples
#' release <- read_release(dp_example())
#' release
#' release$measurements[[1]]$scale
read_release <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) fail("path: give the path of a release.dpmap", "path")
  name <- one_line(basename(path))
  if (dir.exists(path)) fail(sprintf("%s is a folder; give the release file in it, like %s/release.dpmap", name, name), "path")
  if (!file.exists(path)) fail(sprintf("there is no file %s; give a release.dpmap", name), "path")
  release <- tryCatch(
    release_in(read_file(path)),
    error = function(one) {
      if (inherits(one, "dpmap_error")) fail(sprintf("%s is not a release that dpmapr can open: %s", name, conditionMessage(one)), "path")
      fail(sprintf("%s is not a dpmap release, or is damaged; give a release.dpmap", name), "path")
    }
  )
  release$path <- normalizePath(path)
  release
}

release_in <- function(bytes, inner = FALSE) {
  archive <- open_archive(bytes)
  document <- read_document(archive)
  check_format(document)
  grid <- read_grid(document[["grid"]], archive)
  count <- whole(list(partners = document[["partners"]] %||% 0), "partners", 0, 1000)
  if (count && inner) fail("it merges maps that are merged themselves")
  partners <- lapply(seq_len(count) - 1, function(number) {
    release_in(unpack(archive, sprintf("partner_%d.dpmap", as.integer(number)), largest_array), TRUE)
  })
  structure(class = "dpmap_release", list(
    grid = grid, measurements = read_measurements(document, grid, archive),
    promise = document[["policy"]], receipt = document[["receipt"]], strategy = words(document, "strategy"),
    released_on = words(document, "released_on"), versions = document[["versions"]], notes = document[["notes"]],
    remarks = document[["remarks"]], partners = partners, table = read_table(archive, grid)
  ))
}

#' The example that comes with the package: a map of the invented raptor survey
#'
#' @return The path of a `release.dpmap`.
#' @export
#' @examples
#' dp_example()
dp_example <- function() system.file("extdata", "release.dpmap", package = "dpmapr", mustWork = TRUE)

#' @export
print.dpmap_release <- function(x, ...) {
  cat(dp_promise(x), sep = "\n")
  invisible(x)
}

#' What a release promises, in lines
#'
#' @param release what [read_release()] returned.
#' @return Lines of text; the statement that dpmap wrote is `release$table$statement` where the
#'   file carries it.
#' @export
#' @examples
#' dp_promise(read_release(dp_example()))
dp_promise <- function(release) {
  check_release(release)
  promise <- release$promise
  epsilon <- exact(promise, "epsilon")
  grid <- release$grid
  noise <- unique(unlist(lapply(release$measurements, function(one) {
    if (is.na(one$scale[1])) "randomised on each device" else sprintf("%s noise of scale %s points", one$noise, paste(signif(range(one$scale), 4)[seq_len(1 + (min(one$scale) < max(one$scale)))], collapse = " to "))
  })))
  one_each <- function(lines) vapply(lines, one_line, "", USE.NAMES = FALSE)
  one_each(c(
    sprintf("Private map of %s, released %s (%s)", release$receipt[["dataset"]], release$released_on, release$receipt[["release_id"]]),
    sprintf("%s %s in %s%s", format(grid$inside, big.mark = ","), grid$kind, grid$crs, if (nrow(grid$layers) > 1) sprintf(", %d layers", nrow(grid$layers)) else ""),
    sprintf("Protected: each %s, up to %s points%s", promise[["unit"]], promise[["cap"]], if (is.null(promise[["site"]])) "" else sprintf(", and each %s", promise[["site"]])),
    sprintf("epsilon %s%s: nobody's odds of having taken part move by more than a factor of %s", promise[["epsilon"]], if (is.null(promise[["delta"]])) "" else sprintf(", delta %s", promise[["delta"]]), format(signif(exp(epsilon), 3))),
    sprintf("Noisy answers: %s", if (length(noise)) paste(noise, collapse = "; ") else sprintf("those of %d partners", length(release$partners))),
    if (is.null(release$table)) "It carries no estimates: dp_cells() and dp_places() need the dpmap command" else sprintf("It carries estimates made by dpmap %s", release$table$made_with)
  ))
}

check_release <- function(release) {
  if (!inherits(release, "dpmap_release")) fail("release: give what read_release() returned", "release")
}
