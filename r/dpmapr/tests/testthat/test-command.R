test_that("a program that is not there is a condition that says what to do", {
  old <- options(dpmapr.program = file.path(tempdir(), "no-such-dpmap"))
  on.exit(options(old))
  error <- expect_error(dp_plan(cap = 5), class = "dpmap_error")
  expect_match(conditionMessage(error), "dpmapr.program")
})

test_that("options become flags, and no text of theirs becomes another", {
  expect_identical(dpmapr:::flags(max_uncertainty = "1 km", cap = 5, exclude = FALSE, confirm_epsilon = TRUE), c("--max-uncertainty", "1 km", "--cap", "5", "--confirm-epsilon"))
  expect_identical(dpmapr:::flags(tier = c("a=1", "b=2")), c("--tier", "a=1", "--tier", "b=2"))
  expect_error(dpmapr:::flags("5"), class = "dpmap_error")
  expect_error(dpmapr:::flags(`cap; rm` = 5), class = "dpmap_error")
})

test_that("the command's errors are conditions with the option's name", {
  skip_if(!nzchar(dp_find()), "dpmap is not on this machine")
  error <- expect_error(dp_plan(cell = "x", area = dp_example()), class = "dpmap_error")
  expect_true(nzchar(error$option))
  expect_true(error$code %in% 2:3)
})

test_that("the command derives what the file carries", {
  skip_if(!nzchar(dp_find()), "dpmap is not on this machine")
  release <- read_release(dp_example())
  for (column in c("estimate", "low", "high")) {
    expect_equal(dp_cells(release, "command")[[column]], dp_cells(release, "table")[[column]], tolerance = 1e-9)
    expect_equal(dp_places(release, "command")[[column]], dp_places(release, "table")[[column]], tolerance = 1e-9)
  }
  expect_equal(terra::nlyr(dp_draws(release, n = 3)), 3)
  zones <- sf::st_sf(name = "all", geometry = sf::st_union(dp_cells(release, "table")))
  asked <- dp_ask(release, zones)
  expect_true(asked$low <= asked$estimate && asked$estimate <= asked$high)
})
