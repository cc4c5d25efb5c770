# The JSON document of a release, as plain lists; whatever is read from it is checked by kind.

deepest <- 64
newest_format <- 6

read_document <- function(archive, name = "dpmap.json") {
  bytes <- unpack(archive, name, largest_document)
  if (any(bytes == 0)) fail("its document is no text")
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text)) fail("its document is no text")
  bare <- charToRaw(gsub('"(?:[^"\\\\]++|\\\\.)*+"', "", text, perl = TRUE, useBytes = TRUE))
  depth <- cumsum((bare %in% charToRaw("[{")) - (bare %in% charToRaw("]}")))
  if (length(depth) && max(depth) > deepest) fail("its document is nested too deeply")
  document <- jsonlite::parse_json(text)
  if (!is.list(document) || is.null(names(document))) fail("its document is no release")
  document
}

check_format <- function(document) {
  kind <- document[["format"]]
  if (identical(kind, "dpmap sealed tiers")) fail("it holds sealed tiers; open one: dpmap unseal FILE --tier NAME --out DIR")
  number <- document[["format_version"]]
  if (!identical(kind, "dpmap release") || !is_whole(number) || number > newest_format || number < 1) {
    fail("it was written by a newer dpmap; update dpmapr")
  }
  for (part in list(document, document[["grid"]], document[["policy"]])) {
    if (!is.list(part) || anyDuplicated(names(part))) fail("its document contradicts itself")
  }
}

whole <- function(part, key, least = 0, most = 2^53) {
  value <- part[[key]]
  if (!is_whole(value) || value < least || value > most) fail(paste(key, "is no number that it can be"))
  value
}

words <- function(part, key) {
  value <- part[[key]]
  if (!is.character(value) || length(value) != 1) fail(paste(key, "is no text"))
  value
}

texts <- function(part, key) {
  value <- part[[key]]
  if (!is.list(value) || !all(vapply(value, is.character, NA))) fail(paste(key, "is no list of texts"))
  as.character(unlist(value))
}

#' An exact text ("0.1", "22/7") as the nearest double
#' @noRd
exact <- function(part, key) {
  text <- words(part, key)
  if (nchar(text) > 20000 || !grepl("^-?[0-9]+(\\.[0-9]+)?(/[0-9]+)?$", text)) fail(paste(key, "is no exact number"))
  sides <- strsplit(text, "/", fixed = TRUE)[[1]]
  if (length(sides) == 2) {
    cut <- max(nchar(sides)) - 300 # of both sides the same number of last digits
    if (cut > 0) sides <- substr(sides, 1, nchar(sides) - cut)
  }
  value <- as.numeric(sides[1]) / (if (length(sides) == 2) as.numeric(sides[2]) else 1)
  if (!is.finite(value)) fail(paste(key, "is no exact number"))
  value
}
