#' Stop with a condition of class `dpmap_error`
#'
#' @param message one line: what is wrong and what to do.
#' @param option the option that it is about, as R writes it, or an empty text.
#' @noRd
fail <- function(message, option = "") {
  stop(structure(
    class = c("dpmap_error", "error", "condition"),
    list(message = one_line(message), call = NULL, option = option)
  ))
}

#' A stranger's text on one line, without what a terminal obeys
#' @noRd
one_line <- function(text) {
  text <- iconv(paste(text, collapse = " "), "UTF-8", "UTF-8", sub = "?")
  substr(gsub("[[:cntrl:]]+", " ", text), 1, 500)
}

`%||%` <- function(value, otherwise) if (is.null(value)) otherwise else value
