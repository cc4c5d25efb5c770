# make demo, make test: on a bare machine with only Python (3.11 or later) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := .ci/page
SCRIPTS := dpmap/render/scripts dpmap/local/scripts $(PAGE)/build.js
# Two processes take file after file, the longest first (tests/conftest.py).
SHARED := -n 2 --dist loadfile --no-loadscope-reorder
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

# The tests start hundreds of commands: none shall compile dpmap anew, whatever the terminal is set to. Each of the two
# processes has a core, so that numpy's own threads would only be in the other's way.
export PYTHONDONTWRITEBYTECODE :=
test deep coverage: export OPENBLAS_NUM_THREADS := 1

.PHONY: demo docs check test deep coverage lint lint-page page clean system dist release-check installer wheelhouse conda qgis-plugin proof system-proof r system-r

demo: $(VENV)/.installed
	$(BIN)/dpmap demo

# The site, build/docs/index.html: open it from the disk. Nothing is fetched but the packages that build it.
docs: $(VENV)/.installed-docs
	$(BIN)/python docs/site/build_site.py

test: $(VENV)/.installed-test system lint
	$(BIN)/pytest $(SHARED)

# Style, types, the house, and the tests of what changed since the last commit: make check, or of a room: make check AREA=export.
# It installs packages of Python and of npm only.
check: $(VENV)/.installed-test lint
	chosen=$$($(BIN)/python .ci/areas.py $(AREA)) && $(BIN)/pytest -n 2 -q $$chosen

deep: $(VENV)/.installed-test system
	DPMAP_DEEP=1 $(BIN)/pytest $(SHARED)

# Which branches the tests take, printed file by file where one is missing; it ends in an error where they are fewer than before.
coverage: $(VENV)/.installed-test system
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(SHARED)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(VENV)/.installed-test lint-page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-page: $(PAGE)/node_modules/.installed
	$(BIN)/node $(PAGE)/node_modules/typescript/bin/tsc --project $(PAGE)
	$(BIN)/node $(PAGE)/node_modules/eslint/bin/eslint.js --config $(PAGE)/eslint.config.js $(SCRIPTS)
	$(BIN)/node $(PAGE)/node_modules/prettier/bin/prettier.cjs --config $(PAGE)/prettier.json --log-level warn --check $(SCRIPTS)
	$(BIN)/node $(PAGE)/build.js --check

# The scripts that pages carry, from their modules: what to type after changing one.
page: $(VENV)/.installed-test $(PAGE)/node_modules/.installed
	$(BIN)/node $(PAGE)/node_modules/prettier/bin/prettier.cjs --config $(PAGE)/prettier.json --log-level warn --write $(SCRIPTS)
	$(BIN)/node $(PAGE)/build.js
	$(MAKE) --no-print-directory lint-page

# The wheel and the source archive of the last commit, built twice to the same bytes (docs/releasing.md).
dist: $(VENV)/.installed-test
	$(BIN)/python packaging/dist.py
	$(BIN)/python -m twine check --strict dist/*.whl dist/*.tar.gz

# The wheel of dist/ with each Python that is here, with its oldest and its newest dependencies, without network. It takes some minutes for each.
release-check: $(VENV)/.installed-test
	$(BIN)/python packaging/check.py

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "dpmap needs Python 3.11 or later; type: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[studio]'
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/.installed $(VENV)/.installed-docs

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

# npm asks for no script to be run and writes no address down (.npmrc there); node is the venv's own.
$(PAGE)/node_modules/.installed: $(PAGE)/package.json $(PAGE)/package-lock.json | $(VENV)/.installed-test
	cd $(PAGE) && PATH="$(abspath $(BIN)):$$PATH" npm ci --no-progress --loglevel=error
	touch $@

# Real programs for the tests: a browser and a GIS open what dpmap writes, a database with PostGIS is read, and Spark
# runs on Java.
system:
	@command -v java >/dev/null || { \
	  echo 'installing a Java runtime for the tests'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends default-jre-headless >/dev/null; }
	@command -v chromium >/dev/null && /usr/bin/python3 -c 'import qgis.core' 2>/dev/null || { \
	  echo 'installing chromium and qgis for the tests'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends chromium qgis python3-qgis >/dev/null; }
	@ls /usr/share/postgresql/*/extension/postgis.control /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  echo 'installing PostgreSQL with PostGIS for the tests'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends postgresql postgresql-postgis >/dev/null; }
	@command -v desktop-file-validate >/dev/null || { \
	  echo 'installing what checks desktop entries, for the tests'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends desktop-file-utils >/dev/null; }

# The proofs that Coq reads, and the axioms that each theorem rests on (proof/README.md): under a minute, and at once where nothing changed.
proof: system-proof
	$(PYTHON) proof/check.py

system-proof:
	@{ command -v coqc && ls /usr/lib/ocaml/coq/user-contrib/mathcomp/analysis /usr/lib/ocaml/coq/user-contrib/mathcomp/algebra_tactics; } >/dev/null 2>&1 || { \
	  echo 'installing Coq with mathcomp-analysis for the proofs: coq libcoq-mathcomp-analysis libcoq-mathcomp-algebra-tactics'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends coq libcoq-mathcomp-analysis libcoq-mathcomp-algebra-tactics >/dev/null; }

# The R package: its documentation, its vignettes and R CMD check --as-cran, and its numbers against Python's. A minute.
r: system-r $(VENV)/.installed-test
	Rscript r/check.R
	$(BIN)/pytest -q tests/r

system-r:
	@Rscript -e 'for (name in c("codetools", "jsonlite", "sf", "terra", "testthat", "roxygen2", "knitr", "rmarkdown", "ggplot2")) loadNamespace(name)' >/dev/null 2>&1 || { \
	  echo 'installing R with sf, terra, testthat, roxygen2 and knitr for the R package'; \
	  $(SUDO) apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -qq -y --no-install-recommends r-base-core r-cran-codetools r-cran-jsonlite r-cran-sf \
	    r-cran-terra r-cran-testthat r-cran-roxygen2 r-cran-knitr r-cran-rmarkdown r-cran-ggplot2 pandoc qpdf >/dev/null; }

clean:
	rm -rf $(VENV) $(PAGE)/node_modules build dist *.egg-info dpmap-demo*

# The installer that needs no terminal, for the system on which this is typed, into dist/installer; it is tried at the end. Some minutes.
installer:
	$(PYTHON) packaging/installer/build.py

# dpmap and all that it needs as one zip of wheels for this system and this Python, into dist: for machines without a network.
wheelhouse: $(VENV)/bin/python
	$(BIN)/python packaging/wheelhouse.py

# The conda recipe, executed against a channel made on the spot, into dist/conda.
conda: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build hatchling py-rattler-build
	$(BIN)/python packaging/conda/build_here.py

# The plugin for QGIS as a zip, packed twice to the same bytes, into dist; tried where QGIS is on the machine.
qgis-plugin: $(VENV)/bin/python
	$(BIN)/python packaging/qgis_plugin.py
