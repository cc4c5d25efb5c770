test_that("a release opens by itself and says what it promises", {
  release <- read_release(dp_example())
  expect_s3_class(release, "dpmap_release")
  expect_output(print(release), "epsilon 1")
  expect_output(print(release), "observer_id")
  expect_identical(attr(dp_noisy(release), "promise"), release$promise)
  expect_match(attr(dp_cells(release, "table"), "statement"), "epsilon")
})

test_that("cells, places and rasters lie on one grid", {
  release <- read_release(dp_example())
  cells <- dp_cells(release, "table")
  places <- dp_places(release, "table")
  expect_equal(nrow(cells), release$grid$inside)
  expect_true(all(cells$low <= cells$estimate & cells$estimate <= cells$high))
  expect_equal(sum(places$cells), release$grid$inside)
  expect_equal(as.numeric(sum(sf::st_area(places))), as.numeric(sum(sf::st_area(cells))), tolerance = 1e-9)
  raster <- dp_raster(release)
  expect_equal(dim(raster)[1:2], release$grid$shape)
  middle <- suppressWarnings(sf::st_coordinates(sf::st_centroid(sf::st_geometry(cells))))
  last <- release$measurements[[length(release$measurements)]]
  expect_equal(terra::extract(raster, middle)[[1]], last$values[dpmapr:::region_of_cells(release$grid, last)])
})

test_that("a wider level gives wider answers, and a wrong one a condition with its option", {
  release <- read_release(dp_example())
  expect_true(all(dp_noisy(release, level = 0.99)$high > dp_noisy(release)$high))
  error <- expect_error(dp_noisy(release, level = 2), class = "dpmap_error")
  expect_identical(error$option, "level")
})

test_that("64-bit integers are exact to 2^53", {
  values <- c(0, 1, -1, 2^31, -2^31, 2^32 - 1, -2^32, 2^53 - 1, -2^53)
  halves <- rbind(values - floor(values / 2^32) * 2^32, floor(values / 2^32))
  as_bits <- function(part) ifelse(part >= 2^31, part - 2^32, part)
  bits <- matrix(suppressWarnings(as.integer(as_bits(halves))), nrow = 2) # -2^31 is NA, as readBin gives it
  expect_identical(dpmapr:::int64(bits), values)
})

test_that("a stranger's file ends in one line", {
  expect_refused(tempfile(), "there is no file")
  expect_refused(tempdir(), "is a folder")
  text <- tempfile()
  writeLines("x", text)
  expect_refused(text)
  whole <- dpmapr:::read_file(dp_example())
  for (share in c(0.1, 0.5, 0.9, 0.999)) {
    cut <- tempfile()
    writeBin(whole[seq_len(share * length(whole))], cut)
    expect_refused(cut)
  }
  set.seed(1)
  for (number in 1:60) {
    broken <- whole
    broken[sample(length(whole), 3)] <- as.raw(sample(0:255, 3))
    file <- tempfile()
    writeBin(broken, file)
    error <- tryCatch(read_release(file), error = identity)
    expect_true(inherits(error, "dpmap_error") || inherits(error, "dpmap_release"))
  }
})

test_that("what a header says is not believed", {
  members <- example_members()
  expect_s3_class(read_release(zip_of(members)), "dpmap_release")
  expect_refused(zip_of(c(members, members["dpmap.json"])), "two entries of one name")
  expect_s3_class(read_release(zip_of(c(members, list("/etc/passwd" = "x", "../../up" = "x")))), "dpmap_release")
  expect_refused(zip_of(c(list("dpmap.json" = paste(strrep("[", 1e5), strrep("]", 1e5))))), "nested")
  expect_refused(zip_of(c(list("dpmap.json" = raw(9 * 2^20)))), "larger")
  expect_refused(zip_of(c(list("dpmap.json" = raw(9 * 2^20))), size = 10), "larger|size|damaged")
  shape <- regmatches(rawToChar(members[["dpmap.json"]]), regexpr('"shape": \\[[^]]*\\]', rawToChar(members[["dpmap.json"]])))
  for (other in c('"shape": [100000, 20000]', '"shape": [1e300, 2]', '"shape": [-1, 2]', '"shape": ["a", 2]', '"shape": []', '"shape": null')) {
    expect_refused(zip_of(changed_document(shape, other)))
  }
  expect_refused(zip_of(changed_document('"lattice": ', '"lattice": "a", "was": ')), "lattice")
  expect_refused(zip_of(changed_document('"scale": "', '"scale": "system(1)')), "scale")
  expect_refused(zip_of(changed_document('"regions": ', '"regions": 1e9, "was": ')))
  expect_refused(zip_of(changed_document('"format_version": ', '"format_version": 99, "was": ')), "newer dpmap")
  array <- members[["measurement_0.npy"]]
  lying <- members
  lying[["measurement_0.npy"]] <- array[seq_len(length(array) - 1)]
  expect_refused(zip_of(lying), "length")
  at <- grepRaw("<i8", array)
  array[at + 1] <- charToRaw("O")
  lying[["measurement_0.npy"]] <- array
  expect_refused(zip_of(lying), "shape or type")
})

test_that("a bomb is unpacked no further than its limit", {
  bomb <- example_members()
  bomb[["measurement_0.npy"]] <- raw(5e7)
  before <- gc(reset = TRUE)
  expect_refused(zip_of(bomb), "larger")
})
