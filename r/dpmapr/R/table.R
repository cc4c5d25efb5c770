# The derived numbers that a release carries for readers without dpmap: they follow from the noisy
# answers, which alone count.

most_columns <- 40

read_table <- function(archive, grid) {
  if (!has_member(archive, "table.json")) return(NULL)
  document <- read_document(archive, "table.json")
  if (!identical(document[["table_version"]], 1L)) return(NULL) # of a newer dpmap: the rest still reads
  layers <- document[["layers"]]
  if (!is.list(layers) || length(layers) > 20000) fail("its table contradicts itself")
  list(
    made_with = words(document, "made_with"), level = document[["level"]],
    statement = words(document, "statement"),
    layers = lapply(seq_along(layers), function(number) table_layer(layers[[number]], number - 1, grid, archive)),
    corners = table_corners(document, grid, archive)
  )
}

table_layer <- function(plain, number, grid, archive) {
  frame <- function(key, rows) {
    columns <- texts(plain, key)
    if (!length(columns)) return(NULL)
    if (length(columns) > most_columns || anyDuplicated(columns)) fail("its table contradicts itself")
    values <- read_array(archive, sprintf("table_%s_%d", key, as.integer(number)), "<f8", rows * length(columns))
    table <- as.data.frame(matrix(values, nrow = rows, dimnames = list(NULL, columns)))
    for (name in intersect(c("distinguishable", "told", "place_told", "answered"), columns)) table[[name]] <- table[[name]] == 1
    table
  }
  count <- whole(plain, "count", 0, 2^31)
  place <- if (count) read_array(archive, sprintf("table_place_%d", as.integer(number)), "<i4", grid$inside)
  if (count && (anyNA(place) || any(place < 0 | place > count))) fail("its table contradicts itself")
  list(names = texts(plain, "names"), cells = frame("cells", grid$inside), places = frame("places", count), place = place)
}

table_corners <- function(document, grid, archive) {
  if (is.null(document[["corners"]])) return(NULL)
  counts <- read_array(archive, "table_corner_counts", "u1", grid$size)
  points <- read_array(archive, "table_corners", "<i4", 2 * sum(counts))
  list(cell = rep(seq_len(grid$size), counts), points = matrix(points / 1e7, ncol = 2, byrow = TRUE))
}
