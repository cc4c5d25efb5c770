# Builds dpmapr and checks it as CRAN does, into build/r; stops at an error, a warning or a note that is ours.
# Rscript r/check.R
quick <- "--quick" %in% commandArgs(TRUE)
root <- normalizePath(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), ".."))
work <- file.path(root, "build", "r")
unlink(work, recursive = TRUE)
dir.create(work, recursive = TRUE)
r <- file.path(R.home("bin"), "R")
run <- function(...) {
  if (system2(r, c("CMD", ...)) != 0) quit(status = 1)
}
file.copy(file.path(root, "r", "dpmapr"), work, recursive = TRUE)
setwd(work)
roxygen2::roxygenise("dpmapr", load_code = "source")
for (name in c("NAMESPACE", file.path("man", list.files("dpmapr/man")))) {
  kept <- file.path(root, "r", "dpmapr", name)
  if (!file.exists(kept) || !identical(readLines(kept), readLines(file.path("dpmapr", name)))) {
    stop(name, " is not what roxygen2 makes: run Rscript -e 'roxygen2::roxygenise(\"r/dpmapr\", load_code = \"source\")'")
  }
}
run("build", "dpmapr")
# no network here, and no TeX on many machines; a file's time is not asked of a server
Sys.setenv(
  "_R_CHECK_CRAN_INCOMING_" = "false", "_R_CHECK_CRAN_INCOMING_REMOTE_" = "false", "_R_CHECK_FORCE_SUGGESTS_" = "false",
  "_R_CHECK_SYSTEM_CLOCK_" = "false"
)
run("check", "--as-cran", "--no-manual", list.files(pattern = "tar.gz$"))
log <- readLines("dpmapr.Rcheck/00check.log")
ours <- grep("(ERROR|WARNING|NOTE)$", log, value = TRUE)
ours <- ours[!grepl("^Status", ours)]
if (length(ours)) stop(paste(c("R CMD check:", ours), collapse = "\n"))
cat("R CMD check --as-cran: no error, warning or note\n")
