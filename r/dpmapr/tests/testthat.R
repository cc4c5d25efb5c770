library(testthat)
library(dpmapr)
test_check("dpmapr")
