# The dpmap command, called with --json.

#' Find the dpmap command
#'
#' It is `getOption("dpmapr.program")` where that is set, else the first on the PATH, else where
#' installers put it.
#' @return The path of the program; an empty text where there is none.
#' @export
#' @examples
#' dp_find()
dp_find <- function() {
  chosen <- getOption("dpmapr.program", "")
  if (nzchar(chosen)) {
    if (!file.exists(chosen)) fail("dpmapr.program: there is no such file; set options(dpmapr.program = ) to dpmap", "dpmapr.program")
    return(normalizePath(chosen))
  }
  usual <- if (.Platform$OS.type == "windows") {
    file.path(Sys.getenv("LOCALAPPDATA"), "Programs", "dpmap", "dpmap.exe")
  } else {
    c(path.expand("~/.local/bin/dpmap"), "/usr/local/bin/dpmap", "/opt/homebrew/bin/dpmap", "/opt/dpmap/dpmap", "/usr/bin/dpmap")
  }
  found <- c(Sys.which("dpmap")[[1]], usual)
  c(found[nzchar(found) & file.exists(found)], "")[1]
}

dp_here <- function() nzchar(dp_find())

#' Run a command of dpmap
#'
#' @param words the command and what stands after it, as texts.
#' @return What it answers with `--json`, as a list. Where it fails, a condition of class
#'   `dpmap_error`: its line, the `option` that it is about, and `code`, the exit code.
#' @export
#' @examplesIf nzchar(dpmapr::dp_find())
#' dp_run(c("about", dp_example()))$epsilon
dp_run <- function(words) {
  program <- dp_find()
  if (!nzchar(program)) fail("dpmap is not on this machine: install it, or set options(dpmapr.program = ) to its path", "dpmapr.program")
  answer_file <- tempfile("dpmapr-")
  error_file <- tempfile("dpmapr-")
  on.exit(unlink(c(answer_file, error_file)))
  quoted <- shQuote(c(words, "--json"), if (.Platform$OS.type == "windows") "cmd" else "sh")
  code <- suppressWarnings(system2(program, quoted, stdout = answer_file, stderr = error_file))
  text <- paste(readLines(answer_file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  answer <- tryCatch(jsonlite::parse_json(text, simplifyVector = FALSE), error = function(one) NULL)
  if (code != 0) {
    last <- utils::tail(readLines(error_file, encoding = "UTF-8", warn = FALSE), 1)
    message <- if (is.list(answer) && is.character(answer[["error"]])) answer[["error"]] else c(last, "dpmap stopped")[1]
    error <- tryCatch(fail(message, c(answer[["option"]], "")[[1]]), dpmap_error = identity)
    error$code <- code
    stop(error)
  }
  if (is.null(answer)) fail("dpmap answered what is no JSON; update dpmap or dpmapr")
  answer
}

#' Flags from R's arguments: `max_uncertainty = "1 km"` is `--max-uncertainty "1 km"`
#' @noRd
flags <- function(...) {
  given <- list(...)
  if (length(given) && (is.null(names(given)) || !all(grepl("^[a-z][a-z0-9_]*$", names(given))))) fail("name each option, like epsilon = \"1\"")
  unlist(lapply(names(given), function(name) {
    flag <- paste0("--", gsub("_", "-", name))
    value <- given[[name]]
    if (is.null(value) || isFALSE(value)) return(NULL)
    if (isTRUE(value)) return(flag)
    if (is.numeric(value)) value <- format(value, digits = 15, scientific = FALSE, trim = TRUE)
    as.vector(rbind(flag, as.character(value)))
  }))
}

#' Make, plan, ask and compare maps with the dpmap command
#'
#' Each calls the command of its name. Options are the command's flags, written with `_`:
#' `dp_release("raptors.csv", area = "area.gpkg", cell = "5 km", epsilon = "1", ...)`. Write
#' epsilon as a text, so that it is exact.
#' @param survey the survey's file.
#' @param release,before,after what [read_release()] returned, or the path of a release file.
#' @param zones an `sf` of polygons or a file of them.
#' @param n how many maps to draw.
#' @param ... options of the command.
#' @return `dp_release()` what [read_release()] reads of the new map; `dp_plan()` the command's
#'   answer as a list; `dp_compare()` too, its zones, cells and clusters as data frames; `dp_ask()` an `sf` of the zones with
#'   `estimate`, `low` and `high`; `dp_draws()` a `SpatRaster` of `n` layers, each a whole map that
#'   may be the true one.
#' @export
#' @examplesIf nzchar(dpmapr::dp_find())
#' draws <- dp_draws(read_release(dp_example()), n = 5)
dp_release <- function(survey, ...) {
  answer <- dp_run(c("release", survey, flags(...)))
  paths <- vapply(answer[["files"]], function(one) one[["path"]], "")
  read_release(paths[basename(paths) == "release.dpmap"][1])
}

#' @rdname dp_release
#' @export
dp_plan <- function(...) dp_run(c("plan", flags(...)))

#' @rdname dp_release
#' @export
dp_ask <- function(release, zones, ...) {
  work <- private_folder()
  on.exit(unlink(work, recursive = TRUE))
  if (inherits(zones, c("sf", "sfc"))) {
    file <- file.path(work, "zones.gpkg")
    sf::st_write(sf::st_sf(zones), file, quiet = TRUE)
    zones <- file
  }
  to <- file.path(work, "answers.gpkg")
  dp_run(c("ask", release_path(release), zones, "--out", to, flags(...)))
  read_layer(to, sf::st_layers(to)$name[1])
}

#' @rdname dp_release
#' @export
dp_draws <- function(release, n = 100, ...) {
  work <- private_folder()
  on.exit(unlink(work, recursive = TRUE))
  to <- file.path(work, "draws.tif")
  dp_run(c("draws", release_path(release), "--n", format(n, scientific = FALSE), "--to", to, flags(...)))
  raster <- terra::rast(to)
  raster + 0 # in memory, or in terra's own file: the command's is taken away
}

#' @rdname dp_release
#' @export
dp_compare <- function(before, after, ...) {
  answer <- dp_run(c("compare", release_path(before), release_path(after), flags(...)))
  # lists of records alike are tables
  jsonlite::fromJSON(jsonlite::toJSON(answer, auto_unbox = TRUE, digits = NA, null = "null"))
}

release_path <- function(release) {
  if (inherits(release, "dpmap_release")) release <- release$path
  if (!is.character(release) || length(release) != 1 || !file.exists(release)) fail("release: there is no such file; give what read_release() returned", "release")
  release
}

#' A layer of what the command wrote, whose GeoPackage may be newer than this GDAL
#' @noRd
read_layer <- function(file, layer) suppressWarnings(sf::st_read(file, layer, quiet = TRUE))

private_folder <- function() {
  work <- tempfile("dpmapr-")
  dir.create(work, mode = "0700")
  work
}

#' Read cells or places as the command derives them anew
#' @noRd
command_layers <- function(release, what) {
  work <- private_folder()
  on.exit(unlink(work, recursive = TRUE))
  layers <- release$grid$layers
  mean <- release_mean(release)
  if (mean) layers <- unique(layers[-ncol(layers)])
  names <- if (ncol(layers)) do.call(paste, c(layers, sep = ", ")) else ""
  lapply(seq_along(names), function(number) {
    to <- file.path(work, paste0(number, ".gpkg"))
    layer <- if (nzchar(names[number])) c("--layer", names[number])
    dp_run(c("export", release_path(release), "--to", to, layer))
    wanted <- if (what == "cells") "cells" else "patches"
    if (!wanted %in% sf::st_layers(to)$name) fail("from: this map has no places", "from")
    frame <- read_layer(to, wanted)
    frame <- sf::st_set_geometry(frame, "geometry")
    if (ncol(layers)) for (column in colnames(layers)) frame[[column]] <- layers[number, column]
    frame
  })
}

release_mean <- function(release) {
  layers <- release$grid$layers
  ncol(layers) > 0 && all(grepl(" at -?[0-9./]+$", layers[[ncol(layers)]])) && length(unique(layers[[ncol(layers)]])) == 2
}
