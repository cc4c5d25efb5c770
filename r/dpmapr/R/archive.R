# The zip archive of a release, read from memory: nothing is unpacked to disk, and no size that
# stands in it is believed. A member is unpacked piece by piece, up to a limit that its reader
# gives.

largest_file <- 2^31 - 2
largest_document <- 8 * 2^20
most_members <- 20000

little <- function(bytes, at, size) sum(as.integer(bytes[at + seq_len(size) - 1]) * 256^(seq_len(size) - 1))

read_file <- function(path) {
  size <- file.size(path)
  # a pipe or a device has no size, and is never opened
  if (is.na(size) || size < 22 || size > largest_file) fail("it is no release file; give a release.dpmap")
  readBin(path, "raw", size)
}

#' List the members of a zip archive
#' @noRd
open_archive <- function(bytes) {
  end <- find_end(bytes)
  count <- little(bytes, end + 10, 2)
  at <- little(bytes, end + 16, 4) + 1
  if (count > most_members) fail("it has more entries than a release has; get it again")
  name <- character(count)
  facts <- matrix(0, count, 5, dimnames = list(NULL, c("flags", "method", "packed", "size", "offset")))
  sums <- vector("list", count)
  for (number in seq_len(count)) {
    if (at + 45 > end || little(bytes, at, 4) != 0x02014b50) fail("its list of entries is damaged; get it again")
    lengths <- c(little(bytes, at + 28, 2), little(bytes, at + 30, 2), little(bytes, at + 32, 2))
    if (at + 45 + sum(lengths) > end) fail("its list of entries is damaged; get it again")
    label <- bytes[at + 45 + seq_len(lengths[1])]
    name[number] <- if (any(label == 0)) "?" else rawToChar(label)
    facts[number, ] <- c(
      little(bytes, at + 8, 2), little(bytes, at + 10, 2), little(bytes, at + 20, 4),
      little(bytes, at + 24, 4), little(bytes, at + 42, 4)
    )
    sums[[number]] <- bytes[at + 16:19]
    at <- at + 46 + sum(lengths)
  }
  if (anyDuplicated(name)) fail("it holds two entries of one name; get it again from whoever made it")
  list(bytes = bytes, name = name, facts = facts, sums = sums)
}

find_end <- function(bytes) {
  last <- length(bytes) - 21
  if (last < 1) fail("it is no release file; give a release.dpmap")
  from <- max(1, last - 65535)
  starts <- which(bytes[from:last] == as.raw(0x50)) + from - 1
  for (start in rev(starts)) {
    if (little(bytes, start, 4) == 0x06054b50) return(start)
  }
  fail("it is no release file; give a release.dpmap")
}

has_member <- function(archive, name) name %in% archive$name

#' Unpack one member, never more than `limit` bytes
#' @noRd
unpack <- function(archive, name, limit) {
  number <- match(name, archive$name)
  if (is.na(number)) fail(paste("it lacks", name))
  facts <- archive$facts[number, ]
  bytes <- archive$bytes
  if (bitwAnd(facts[["flags"]], 1L) || !facts[["method"]] %in% c(0, 8)) {
    fail("an entry is packed in a way that cannot be bounded; save it again with dpmap")
  }
  if (facts[["size"]] > limit) fail("an entry is larger than it may be")
  head <- facts[["offset"]] + 1
  if (head + 29 > length(bytes) || little(bytes, head, 4) != 0x04034b50) fail("an entry is not where it should be")
  from <- head + 30 + little(bytes, head + 26, 2) + little(bytes, head + 28, 2)
  if (from + facts[["packed"]] - 1 > length(bytes)) fail("it was cut off; get it again")
  packed <- bytes[from - 1 + seq_len(facts[["packed"]])]
  content <- if (facts[["method"]] == 0) packed else inflate(packed, archive$sums[[number]], facts[["size"]], limit)
  if (length(content) != facts[["size"]]) fail("an entry has another size than it says")
  content
}

#' Inflate raw deflate: dressed as gzip, so that R checks its sum
#' @noRd
inflate <- function(packed, crc, size, limit) {
  head <- as.raw(c(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff))
  length_bytes <- as.raw((size %/% 256^(0:3)) %% 256)
  stream <- gzcon(rawConnection(c(head, packed, crc, length_bytes)))
  loud <- sink.number(type = "message")
  quiet <- file(nullfile(), "w") # R itself prints what is wrong with a sum
  sink(quiet, type = "message")
  on.exit({
    sink(getConnection(loud), type = "message")
    close(quiet)
    close(stream)
  })
  pieces <- list()
  total <- 0
  repeat {
    piece <- withCallingHandlers(
      readBin(stream, "raw", 2^20),
      warning = function(one) fail("an entry is damaged; get it again")
    )
    if (!length(piece)) break
    total <- total + length(piece)
    if (total > limit) fail("an entry is larger than it may be")
    pieces[[length(pieces) + 1]] <- piece
  }
  if (length(pieces)) do.call(c, pieces) else raw(0)
}
