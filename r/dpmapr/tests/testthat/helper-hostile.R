# Writes zips by hand, so that they can lie.
bytes_of <- function(value, size) as.raw((value %/% 256^(seq_len(size) - 1)) %% 256)

zip_of <- function(members, path = tempfile(fileext = ".dpmap"), size = NULL) {
  body <- raw(0)
  list <- raw(0)
  for (number in seq_along(members)) {
    name <- charToRaw(names(members)[number])
    content <- members[[number]]
    if (is.character(content)) content <- charToRaw(content)
    gz <- memCompress(content, "gzip")
    packed <- gz[3:(length(gz) - 4)] # raw deflate, without zlib's dress
    file <- tempfile()
    con <- gzfile(file, "wb")
    writeBin(content, con)
    close(con)
    tail8 <- utils::tail(readBin(file, "raw", file.size(file)), 8)
    facts <- c(
      bytes_of(0, 2), bytes_of(8, 2), bytes_of(0, 4), tail8[1:4], bytes_of(length(packed), 4),
      bytes_of(if (is.null(size)) length(content) else size, 4), bytes_of(length(name), 2), bytes_of(0, 2)
    )
    list <- c(list, bytes_of(0x02014b50, 4), bytes_of(20, 2), bytes_of(20, 2), facts, bytes_of(0, 10), bytes_of(length(body), 4), name)
    body <- c(body, bytes_of(0x04034b50, 4), bytes_of(20, 2), facts, name, packed)
  }
  count <- length(members)
  end <- c(
    bytes_of(0x06054b50, 4), bytes_of(0, 4), bytes_of(count, 2), bytes_of(count, 2),
    bytes_of(length(list), 4), bytes_of(length(body), 4), bytes_of(0, 2)
  )
  writeBin(c(body, list, end), path)
  path
}

example_members <- function() {
  archive <- dpmapr:::open_archive(dpmapr:::read_file(dp_example()))
  stats::setNames(lapply(archive$name, function(name) dpmapr:::unpack(archive, name, 1e8)), archive$name)
}

changed_document <- function(from, to) {
  members <- example_members()
  text <- rawToChar(members[["dpmap.json"]])
  stopifnot(grepl(from, text, fixed = TRUE))
  members[["dpmap.json"]] <- sub(from, to, text, fixed = TRUE)
  members
}

expect_refused <- function(path, words = "") {
  error <- expect_error(read_release(path), class = "dpmap_error")
  expect_match(conditionMessage(error), words)
  expect_false(grepl("\n", conditionMessage(error)))
  expect_identical(error$option, "path")
}
