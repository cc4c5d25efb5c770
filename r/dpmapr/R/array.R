# Arrays of numpy (.npy, version 1.0, one dimension, little-endian): type and length are checked
# against what the document declares before a number is made.

item_sizes <- c("<i8" = 8, "<u8" = 8, "<f8" = 8, "<i4" = 4, "<f4" = 4, "u1" = 1)
largest_array <- 2^31 - 1

read_array <- function(archive, name, type, count) {
  size <- item_sizes[[type]] * count
  if (!is_whole(count) || count < 0 || size > largest_array) fail("an array is larger than it may be")
  bytes <- unpack(archive, paste0(name, ".npy"), size + 4096)
  magic <- as.raw(c(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0))
  if (length(bytes) < 10 || !identical(bytes[1:8], magic)) fail("an array has an unknown version")
  after <- 10 + little(bytes, 9, 2)
  if (after > length(bytes)) fail("an array was cut off")
  head <- bytes[11:after]
  if (any(head == 0 | head > 127)) fail("an array has no header")
  shown <- if (type == "u1") "[|]u1" else type
  form <- sprintf("^\\{'descr': '%s', 'fortran_order': (False|True), 'shape': \\(%.0f,\\), \\} *\n$", shown, count)
  if (!grepl(form, rawToChar(head))) fail("an array has another shape or type than declared")
  if (length(bytes) != after + size) fail("an array has another length than declared")
  numbers_in(bytes[after + seq_len(size)], type, count)
}

numbers_in <- function(body, type, count) {
  switch(type,
    "<f8" = readBin(body, "double", count, size = 8, endian = "little"),
    "<f4" = readBin(body, "double", count, size = 4, endian = "little"),
    "<i4" = readBin(body, "integer", count, size = 4, endian = "little"),
    "u1" = as.integer(body),
    "<i8" = int64(halves(body, count)),
    "<u8" = hex64(halves(body, count))
  )
}

halves <- function(body, count) matrix(readBin(body, "integer", 2 * count, size = 4, endian = "little"), nrow = 2)

#' 64-bit integers as doubles: exact to 2^53, beyond it rounded once as Python's own division rounds
#' @noRd
int64 <- function(half) {
  low <- as.numeric(half[1, ])
  low[is.na(low)] <- -2^31 # R's mark for what is missing has these bits
  high <- as.numeric(half[2, ])
  high[is.na(high)] <- -2^31
  high * 2^32 + ifelse(low < 0, low + 2^32, low)
}

hex64 <- function(half) {
  text <- function(part) ifelse(is.na(part), "80000000", sprintf("%08x", part))
  sub("^0+", "", paste0(text(half[2, ]), text(half[1, ])))
}

unpack_bits <- function(bytes, count) {
  bits <- matrix(as.integer(rawToBits(as.raw(bytes))), nrow = 8)[8:1, , drop = FALSE]
  as.logical(bits)[seq_len(count)]
}

is_whole <- function(value) is.numeric(value) && length(value) == 1 && is.finite(value) && value == floor(value)
