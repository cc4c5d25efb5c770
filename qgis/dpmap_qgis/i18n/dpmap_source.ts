<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" sourcelanguage="en">
<context>
  <name>algorithms/anew.py</name>
  <message>
    <source>Folder: it cannot be made here; choose another</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Folder: there is something in it already; choose a new one</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/base.py</name>
  <message>
    <source>Before a release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>After a release</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/compare.py</name>
  <message>
    <source>Compare</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Says where two released maps differ by more than their noise, cell by cell or in your zones.

It costs nothing: it reads both releases and spends no epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Earlier release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Later release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Zones</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Polygons to compare instead of cells; the cells of the two maps may then differ.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rate of false changes</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Level</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer of both maps</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer of the earlier map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer of the later map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where it is another than that of the other map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Changes</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A layer of the cells or zones with the change and its interval.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Answer as JSON</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/export.py</name>
  <message>
    <source>GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;QGIS style (*.qml);;SLD (*.sld)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Export</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Writes a released map as a raster, a layer or a table, or in a form that an atlas or a portal takes as it is.

It costs nothing: the file holds what the release tells already. The ending of the file's name says which kind it is.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Form</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What an atlas or a portal takes: occurrence-cube, atlas-csv, inspire-sd or ebv-cube. Empty: a plain layer or raster.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Kinds' keys</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>With a form: each kind's key in the portal's list, one a line, like Red deer=2440958,Cervus elaphus.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Year or month</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>With a form: the year or month of a map without times, like 2024 or 2024-05; where there are several, with blanks between.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer of the map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>File</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where it is written; its ending says as what.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>File that was written</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>File: its folder is not there; choose another</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap.py</name>
  <message>
    <source>Makes a map of how dense records are that hardly changes whether any one of the units took part or not.

&lt;b&gt;Unit&lt;/b&gt;: who is protected: a person, a site, an animal, by the field that names it. &lt;b&gt;Cap&lt;/b&gt;: how much one unit adds at most. &lt;b&gt;Epsilon&lt;/b&gt;: how far the map may move anybody's odds about one unit; smaller protects more and tells less. It is spent for good, from the &lt;b&gt;budget&lt;/b&gt; that the &lt;b&gt;ledger&lt;/b&gt; keeps for the data set.

Area, cells, cap and epsilon are public: choose them before you look at the data. Nothing is spent before all is checked.

A layer that is a plain file is read from that file. The rows of any other (filtered, selected, joined, in memory, from a server) are handed to dpmap one by one, and the statement says so. Where a filter, a selection, a join or an expression decides about rows, you must confirm that: it may keep one person's row because of another's, and the promise is then about the rows that are left.

What stands here is what most maps need. Means, tiers, personal limits, Gaussian noise, several files and workbooks: dpmap release, on the command line, or a dpmap.toml.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cancelled while the rows were handed over: dpmap never had all of them, so nothing was counted and nothing was spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Private heatmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Read: the layer's own file</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Read: rows streamed from the layer</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent epsilon {}; {} of {} remains.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The map is made, but its layers could not be loaded: open cells.gpkg in its folder.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This map spends epsilon {} of the ledger, for good.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This map would spend epsilon {}, and {} remains in the ledger.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This map spends epsilon {} for good: {} remains in the ledger now, {} after it.</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_checks.py</name>
  <message>
    <source>Survey layer: it holds changes that are not saved; save or discard them first</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: {} decides which rows or values count. An expression or a hand may keep or leave out one person's rows because of another's, and the promise is then about the rows that are left. If that is meant, tick “The rows left by a filter, a selection, a join or an expression are what is meant”</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: choose a layer with places</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: a limit on the number of features lets one person's row push out another's; take it away</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source> and </source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which reference system its coordinates are in; set the layer's CRS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: it holds lines or areas; tick “Lines and areas count, at a point on them”, or choose points</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Unit</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Consent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Uncertainty</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Site</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: the layer has no such field, or it holds lists, maps or bytes; choose another</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: choose a polygon layer or name a country, one of the two; it is never read off the survey</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cells: give one of the four: a size like 1 km, an official grid, hexagons, or the polygons of the area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cells: a country is one polygon; choose a layer of areas to have one cell for each</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: it is the survey's own layer; the area must be public, and is never read off the survey</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: the layer holds no polygons; choose one that does</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: it holds changes that are not saved; save or discard them first</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: set the layer's CRS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Unit: say who is protected: choose the field that names each, or tick “each row is a unit”; there is no default</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Unit: a field called row would make each row a unit; give it another name first</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cap: it must be a whole number of at least 1, like 5</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Epsilon: it must be a number above 0 with a point, like 0.5</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget: it must be a number above 0 with a point, like 3</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Consent: choose its field and write the values that mean yes, or leave both empty</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Data set: give it a name, the same for each map of this survey</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Folder: name a new folder that stays; a map that was paid for must not lie among temporary files</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Folder: it holds a release already; choose a new one (where that one was broken off: dpmap release --resume FOLDER)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Folder: the folder around it does not exist; make it first</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger: name its file; it keeps what all maps of the data set have cost</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger: its folder does not exist; make it first, or choose another</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget: the ledger knows no such data set; check its name, or begin it by giving the ledger's budget, {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget: the ledger does not hold this data set yet; say how much epsilon it may ever cost, like 3</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_help.py</name>
  <message>
    <source>The layer with the records, a row each. It is read, never changed or copied; a filter and a selection are honoured.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Tick it where a filter, a selection, a join or an expression decides which rows count. The promise is then about the rows that are left.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The study area: a public layer of polygons. It is part of the map, so it must not be drawn around the records.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya. Its border comes with dpmap.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The side of a square cell with its unit, like 1 km, 500 m, 0.1 deg or 5 min. Larger cells tell more surely.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The cells of an official grid instead, by its name: each cell gets the code that others know it by.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>H3 hexagons instead of squares: 0 is the coarsest, 15 the finest; one of 6 covers about 36 square kilometres.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Counts in each polygon of the area layer instead of in squares: districts, parks, fields.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The field that names who is protected: the person, the nest, the animal. All rows with one name are one unit.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Protects each row by itself. Somebody who stands in many rows is then not protected: choose a field where you can.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many points one unit adds to the whole map at most. Choose it from what is known of the work, not from these rows.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How far the map may move anybody's odds about one unit; smaller protects more. The word next takes the ledger's plan.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The field that says whether a row may count. A row that says something else is left out before anything is counted.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What stands in that field where the answer is yes, with commas between; all else is no.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The file that keeps what all maps of a data set have cost. Name the same one each time; a second one would forget the first.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The name under which the ledger keeps this survey. Give each map of the same people or places the same name.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The most epsilon that all maps of this data set may ever cost together. It is declared once, at the first map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A new folder that stays: the release, its layers, its statement and its page are put there.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Only rows for which this is true count. It looks at one row by itself, so that nobody's row depends on another's.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rows of this day and later count. Write the column before it where there are several: seen=2020-05.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rows up to this day count, the day itself included.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The order of day, month and year where it can be read two ways: dmy is 31/05/2020.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What is left out where somebody refuses: the row that says so, or every row of that unit.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What happens to a row that names nobody: it is dropped, or it counts as a unit of its own.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where one text names several people: what stands between the names. Each of them is then protected.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The field that says by how many metres a place may be wrong.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rows whose place is less certain than this are left out; write a length, like 1 km.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A line or an area counts once, at a point that lies on it. Without this only points are taken.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The field that names the site of each row, where the sites are to be protected beside the units.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A file with the place of each site. It is kept as the survey is: it is not part of the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>From how many units one site takes points at most; without it, from one.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How a unit with more rows than the cap is held to it: all rows weigh less (scale), some are drawn (sample), or each cell counts once (presence).</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Adaptive joins cells where little is and is right for most maps; flat gives each cell its own noisy number; sparse:20 only those of 20 and more.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Makes a map for each kind that you name, all under one cap and one epsilon: species=Kestrel,Red kite.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Makes a map for each span between two dates: seen=2023,2024,2025 makes two, one for each year.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Takes only the polygons of the area layer in which a text field holds exactly this name.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The reference system in which the squares are laid out. Leave it empty to have one chosen that keeps areas true.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Refuses cells that are smaller than a body of practice allows for such records, like gbif-2.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Confirms that so small a map is meant: with four cells or fewer a mistake of size is likelier.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Tick it where somebody chose the cap after seeing the rows: the statement then says so, as honesty asks.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The person or body that decided to publish; shown on the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What readers may use it for; shown on the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The day after which it must not be used any more; shown on the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Labels by which an Indigenous community says how its knowledge may be used; shown on the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The terms of use, by a short name like CC-BY-4.0 or an https address.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Why exact places are withheld, in a term that portals know.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Told to auditors: who holds the survey and the ledger, where, and when they are destroyed.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Other maps or tables of the same data, which add to what is known; or the word nothing.</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_inputs.py</name>
  <message>
    <source>Release file</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Statement</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Patches</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cells</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Remaining</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Event in the ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The rows left by a filter, a selection, a join or an expression are what is meant</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: a polygon layer, never the survey</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or a country, like Kenya</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Square cells, like 1 km or 0.1 deg</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or the cells of an official grid</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or H3 hexagons of this resolution</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or one cell for each polygon of the area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Unit: the field that says who is protected</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or each row is a unit (a person with many rows is then not protected)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cap: most points one unit adds, like 5</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Epsilon: how far it may move odds about one unit, like 0.5</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Consent: the field that says yes</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Values that mean yes, like yes,true</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger: its file, the same each time (a new name begins one)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Data set: its name in the ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget: most epsilon ever, at the first release of the data set</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>New folder for the release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rule over a row's own columns, like species = 'Kestrel' and year &gt;= 2020</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>First date that counts, like 2020-05 or COLUMN=2020</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Last date that counts</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How dates are written: dmy, mdy, ymd, iso</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What a refusal takes</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rows that name nobody</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What stands between names in one text: auto, none, or like ; &amp;</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Field of uncertainty in metres</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Leave out what is less certain, like 1 km</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Field of the sites to protect too</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>File that says where each site is</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Most contributors that one site counts for</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How the cap is kept</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How epsilon is spent: adaptive, flat, or like sparse:20</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A map for each kind: COLUMN=A,B,C, one column a line</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A map for each span between dates: COLUMN=2023,2024,2025</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Only the polygons of the area of this name</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>National grid for the cells, like EPSG:27700</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rule of practice: smallest cells allowed</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>An area of four cells or fewer is what is meant</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The cap was found by looking at the true numbers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Who authorised this map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What it may be used for</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Last day of use, like 2031-12-31</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Local Contexts labels, one a line, like TK Attribution</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Licence, like CC-BY-4.0</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Why its places are sensitive, like speciesLocation</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Who can reach the survey and the ledger, and for how long</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What else was published of the same data, one a line, or: nothing</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/hotspots.py</name>
  <message>
    <source>Hot spots</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Draws where a released map holds more than a number, or more than the land around: only places that noise alone does not explain.

It costs nothing: it reads the release and spends no epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Above</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A number that a cell must exceed, like 20; or the word surroundings.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rate of false ones</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A layer of their outlines with totals and intervals.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/inputs.py</name>
  <message>
    <source>A release.dpmap file, your own or a stranger's; its folder or its cells.gpkg is understood too. It is read, never changed.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Which layer of a map of kinds and times, like "Kestrel, 2024"; leave it empty for a map that has one.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How often an interval holds the truth: 0.9 is nine times in ten. More certain intervals are wider.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The largest expected share of false ones among all that are named: 0.1 is one in ten.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: there is no release.dpmap in this folder; choose the file itself</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: there is no such file; check its path</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: write a number between 0 and 1, like 0.9</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: choose a file in a folder that is there, like answer.gpkg</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>this kind of file cannot be written here; choose one like answer.gpkg</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/inspect.py</name>
  <message>
    <source>True numbers of the survey: for the operator's eyes only. Do not publish, send or show them. A cap that you choose after seeing them must be declared so: tick “The cap was found by looking at the true numbers” in Private heatmap.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Inspect</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Looks at a survey before a release: how its rows are read, how many units there are, what each cap leaves out.

It spends no epsilon, but its numbers have no noise: they protect nobody. They stand in this run's log and nowhere else, unless you ask for a file.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>I am the operator; I will not show these numbers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Nothing is read until this is ticked.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The layer with the records. A filter and a selection are honoured.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The field that says who is protected.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The study area, to see which rows lie in it.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Square cells</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Square cells, like 1 km; with an area.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The cap to look at, where it is not the usual ones.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>FIELD=VALUE: only these rows count, like consent=yes.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Rule</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A rule over a row's fields, like year &gt;= 2020.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Lines and areas count</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Page with plots</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Numbers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>True numbers in a file: keep it as you keep the survey. Off unless you ask for it.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>tick “I am the operator; I will not show these numbers” first: what follows has no noise</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which CRS its coordinates are in; set the layer's CRS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The file could not be written: choose another</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/inspect_told.py</name>
  <message>
    <source>in the middle: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>9 in 10 within {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>said for {} of the rows that can be used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} less certain than the cells</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} less certain than 100 m</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} less certain than 1 km</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} less certain than 10 km</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>HOW IT IS READ</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>WHAT IT HOLDS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} rows, of which {} can be used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>left out, {}: {} ({})</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} rows repeat a unit and a place</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>WHO IS IN IT</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} units</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>rows of a unit: {} in the middle, 9 in 10 have at most {}, 99 in 100 at most {}, one has {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>with {} rows: {} units</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>WHAT A CAP TAKES AWAY</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>a cap of {}: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>DATES in {}: {} rows filled in; can be read as {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>none</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>a limit of {}: {} units</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>MAY BE THE UNIT: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>links to sites, {}: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>ADVICE: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>HOW CERTAIN PLACES ARE</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/layout.py</name>
  <message>
    <source>Print layout of a map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Makes an A4 sheet of a released map: the map, its legend, the promise in one sentence, a scale and who authorised it. In QGIS's window the layout also stands in the project, to be changed by hand. Choose a layer of a release, or its release.dpmap. It reads no survey and costs nothing.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer of a release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A layer that dpmap drew; its classes become the legend of the sheet.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Or a release (release.dpmap)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The release itself, where none of its layers is open.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Sheet</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A4 landscape</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A4 portrait</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Which way round the paper lies.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Name of the layout</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How the project lists the layout; empty: the name of the data set.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>PDF</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Picture</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where the sheet is written; leave it empty to have the layout in the project alone.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No layer of a release is named: choose one, or its release.dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No layer could be made of this release: try 'Open a release'</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The sheet could not be written: choose another file</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/ledger.py</name>
  <message>
    <source>number</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>time</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dataset</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>kind</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>epsilon</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>unit</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>then</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>remaining</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Read the ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verifies a ledger and says what was spent, on which data set and unit, and what remains.

It costs nothing and changes nothing.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The ledger's file, as the releases name it.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Data set</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Only this data set's events; empty: all of them.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Against this release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A release that this ledger must contain: shows that the ledger was not cut or put back.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Events</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A table with an event a row and what remained after it.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Events as a page</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The same as a page to read.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent on the data set</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What each unit has cost</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent without a release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Data set: the ledger has none of this name; leave it empty to see all</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} of {} remains.</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/open.py</name>
  <message>
    <source>Open a release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Reads a release.dpmap, your own or a stranger's, and shows its places and cells with their style, statement and promise.

It costs nothing and changes nothing in the release. The layers are made of release.dpmap itself: those that lie beside a stranger's release may hold other numbers, and a style that runs a stranger's code.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>New folder for its layers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where the layers are written. Name a folder beside your project to keep them: QGIS clears its temporary folder when it ends.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Places</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Promise</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/plan.py</name>
  <message>
    <source>Square cells, like 1 km or 0.1 deg. Leave it and the grid empty to have a size recommended.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or an official grid</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The cells of an official grid, by its name: eea-10km, os-hectad, qdgc.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>or a country as area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Who is protected, in a word for the plan: observer, nest, household.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Most points one unit adds to the whole map, like 5.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Epsilon</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How far a map may move the odds about one unit, like 0.5; or leave it out and say which error can be borne.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Units expected</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many units will take part: a guess from what is public, never a count of the survey.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Most epsilon ever, to say how many such maps it pays for.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Points of each</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many points each unit is expected to add, capped.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent already</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How much of the budget is spent already.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Error allowed</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The standard error allowed in a cell measured by itself, like 5: finds epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Large errors allowed</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The largest chance of a large error, like 20:1%: finds epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Points to be told from none</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many points a cell must hold to be told from none, like 20: finds epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Zones' intervals</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How far each zone's 90 % interval may reach, like 30% of what is expected in it: finds epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Delta</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The chance that epsilon need not hold, like 1e-6: Gaussian noise.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Name in the area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Only the polygons of the area of which a text holds this name.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>CRS of the cells</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A national grid for the cells, like EPSG:27700.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Hexagons</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>H3 hexagons of this resolution, 0 to 15, instead of squares.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Plan</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Says what a map would tell before anything is spent: how many places, how large, with which errors.

It costs nothing and reads no survey, only public numbers that you give. Keep the page for a board that has to decide.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Epsilon of the plan</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Side of a cell</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How many cells</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How far a cell's 90 % interval reaches</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Points that are told from none</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Advice</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What the budget holds after it</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Plan as JSON</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The study area: a public polygon layer, never drawn around the survey.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Project areas, for how far their intervals may reach.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Readers' maps</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A map for each reader, one a line, like public=0.2; leave epsilon out.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Limiter</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How the cap is kept: scale, sample or presence.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>One cell for each polygon of the area</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The polygons of the area are the cells.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Plan as a page</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A page for whoever decides.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Area: choose a polygon layer, or write a country: one of the two</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cap: write the most points one unit adds, like 5</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Epsilon: write it, like 0.5, or say which error can be borne</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/verify.py</name>
  <message>
    <source>holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>does not hold</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cannot be tried here</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verify dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Says where dpmap was found and which version it is, and tries its promise on this machine: the noise, the cap, the ledger, the files.

It reads no survey, spends nothing and changes nothing. Where something does not hold, make no map with this dpmap.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Every check there is</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Tries all checks, which takes some minutes. Without it a part is tried, in seconds.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>All that was tried holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Version of dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Oldest version that can be used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where it was found</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>In one sentence</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Checks as JSON</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>looking for dpmap, and trying it</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap {} (the oldest that can be used is {}), found at {}: {}</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>algorithms/zones.py</name>
  <message>
    <source>Ask for zones</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Says how many a released map holds in each of your project areas, each with the interval that holds the truth.

It costs nothing: whatever is asked of a release, as often as you like, spends no epsilon.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The polygons that are asked for: project areas, districts, parks. A filter and a selection are honoured.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Answers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A layer of the zones with their totals, intervals and notes.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Answers as JSON</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Zones: choose a polygon layer</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>command/held.py</name>
  <message>
    <source>another process holds this folder</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>command/own.py</name>
  <message>
    <source>Stopped: no environment was made, and the earlier one is as it was</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This names no wheel of dpmap: write the path of a file, or an address that begins with https, that ends in private_heatmaps-VERSION-py3-none-any.whl</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Python could not make an environment: install its package for that (on Debian and Ubuntu: python3-venv)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The environment cannot be written: free some room on the disk of QGIS's profile (some 1.5 GB while it is made)</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>command/private.py</name>
  <message>
    <source>no private folder can be made: free some room in the folder for temporary files</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>command/wheels.py</name>
  <message>
    <source>This is no zip that can be read: choose the one that `make wheelhouse` made</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip holds more than it says: get it again</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip is damaged: get it again</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip holds two files of one name: get it again</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The wheels cannot be unpacked: free some room on the disk of QGIS's profile</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This is not a zip of wheels for dpmap: choose the one that `make wheelhouse` made</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip is too large to be dpmap's: choose the one that `make wheelhouse` made</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip holds no dpmap, or more than one: choose the one that `make wheelhouse` made</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip holds something that is no wheel: choose the one that `make wheelhouse` made</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>options/page.py</name>
  <message>
    <source>Wiping what is no longer used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The dpmap that is used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>QGIS asks a program called dpmap for every private map. Leave this empty to let it be found.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Choose the program dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>the program, or the folder of a Python environment</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The path of the program dpmap, or of the folder of a Python environment in which it is</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No dpmap on this machine?</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>It is made here from a zip of wheels, without a network and apart from QGIS's own Python. Whoever builds dpmap makes this zip with make wheelhouse.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Make it from a zip of wheels...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Download what it needs...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Does it keep its promise?</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The selftest checks noise, cap and ledger on this machine. It reads no survey and spends nothing.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verify quickly</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verify all of it (some minutes)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Stop</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Looking...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Looking for dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Choose the zip of wheels</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Zip of wheels (*.zip)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>This zip holds dpmap {version}, {number} wheels. They are programs that will run on this machine: go on only if you trust who gave it to you.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Making dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where is dpmap's wheel? Write the path of the file private_heatmaps-VERSION-py3-none-any.whl that you were given, or its address (https://...)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap is taken from there, and the libraries that it needs, some 300 MB, from the index that pip is set to on this machine. They are programs that will run on it, apart from QGIS: go on only if you trust who gave you the wheel. Nothing of yours is sent. Where a company has its own index or proxy, pip's settings say so. Go on?</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Downloading what dpmap needs</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verifying dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap is made. Verify it now.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Stopped</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Found through {where}: dpmap {version}, {minimum} or newer is needed.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap {version}, {minimum} or newer is needed</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>options/work.py</name>
  <message>
    <source>This failed ({kind}): please report it</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/asking.py</name>
  <message>
    <source>dpmap: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap could not be started; verify it in the settings</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>stopped; ask again to have an answer</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/dock.py</name>
  <message>
    <source>dpmap: private maps</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>reading a release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap gave no answer that can be read</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/doing.py</name>
  <message>
    <source>QGIS has Processing switched off: switch it on in Plugins, Manage and Install Plugins.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Make and export</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Private heatmap...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Makes a private map of a layer of points</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>All algorithms</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/hung.py</name>
  <message>
    <source>Panel of private maps</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ask a place of a private map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Draw a zone on a private map</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/kept.py</name>
  <message>
    <source>zones asked</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/ledger_section.py</name>
  <message>
    <source>What remains</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>found beside the release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger:</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Part of the budget that is spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What was spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Where the ledger is</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Refresh</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Reads the ledger anew</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Choose...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Chooses the ledger's file</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No ledger is chosen, and none stands beside the release. Choose its file to see what remains.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The ledger of this project.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No ledger that was asked beside the release paid for it. Choose its file to see what remains.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Found beside the release, which it paid for: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Reading the ledger...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>reading a ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledgers (*.ledger);;All files (*)</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/missing.py</name>
  <message>
    <source>dpmap cannot be used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Settings</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Opens where dpmap's program is chosen and verified</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Look again</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Looks for dpmap anew</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/place.py</name>
  <message>
    <source>Place {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cell {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>How it lies within this place is not known.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Its total is not distinguishable from none; this does not mean that nothing is there.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Code: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>On the map it has the colour of place {}: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>On the map: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>capped: the release's statement says for how much each unit counts at most</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>points</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>90 % interval: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cannot be told</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>not distinguishable from none</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>at most {} {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>mean</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>told of {} {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cannot be told: too little was counted here to tell a mean</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cell</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cells</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/place_section.py</name>
  <message>
    <source>Click on a place of the map. By keyboard: move the map with the arrow keys, then ask its middle.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Add the layers of a release to the map, like those of cells.gpkg.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A place is asked of the layers patches or cells in cells.gpkg: tick one of them. A picture alone cannot be asked; zones can.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What a place holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ask a place</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Then click on the map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ask the middle</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Asks without a mouse</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Place</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What the place holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No layer that can be asked is shown.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Outside the map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The release tells nothing of this place; this does not mean that nothing is there.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer: {}</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/promise.py</name>
  <message>
    <source>Expired: its last day of use was {}. Ask who authorised it before you use it.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Authorised by: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>not declared</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Purpose: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Last day of use: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Local Contexts labels: {}</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/release_section.py</name>
  <message>
    <source>Choose a layer of a release in the Layers panel: one of cells.gpkg, which dpmap writes beside release.dpmap.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The map's promise</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The promise</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Opens {} of the release's folder</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Folder</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Opens the release's folder</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Print layout</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Makes a page to print, with the promise</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No release is chosen.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Reading the release...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} is not in the release's folder any more</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/releases.py</name>
  <message>
    <source>Attestation</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The protected</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Map page</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/remains.py</name>
  <message>
    <source>{} of {} remains; {} is spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>delta: {} of {} remains</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>1 release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} releases</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: {}, epsilon {} spent</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>, the last on {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>; the plan allows {} next</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Spent without a map: {} for {} on {} (unless one is being made now)</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The plan: {} for {} releases, {} of it used</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>; it leaves nothing for a data set without a release yet</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>; a data set without a release yet may take {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No release was made yet.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The last releases:</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: {}, epsilon {}; {} remained</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/zone_section.py</name>
  <message>
    <source>Draw the area of a project, or ask for features that are selected. Asking costs nothing.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What a zone holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Draw a zone</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Left click adds a point, right click ends, Backspace takes a point back, Esc starts anew</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ask for what is shown</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Layer with selected features</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Selected features of:</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ask for the selected</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Asks for the selected features</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What the zone holds</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>What the numbers are</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Keep as a layer</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Adds the zones with their answers to the project</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} points. Right click or Enter ends, Backspace takes a point back, Esc starts anew.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A zone needs three points or more; so far {}.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No feature of this layer is selected; select those to ask for.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>More than {} are selected; ask with the algorithm for zones in the toolbox.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>No release is chosen: choose one of its layers in the Layers panel.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The release is still being read; ask again in a moment.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The zone has no CRS; set one for the layer, or for the project.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>There is no area in what was chosen.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Asking...</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The zone lies where its CRS cannot be turned into degrees; draw it nearer to the map.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>asking for a zone</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The zone's edge crosses itself: all that it encloses was counted. Draw it anew if that is not meant.</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>panel/zones_said.py</name>
  <message>
    <source>Zone {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>... and {} more: keep them as a layer to see all</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>, {} % of it in the map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{} % interval: {}</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>wherever they lie in the cells that its edge cuts: {}</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>rows/asking.py</name>
  <message>
    <source>a filter in QGIS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>a selection in QGIS</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>a join or a computed column in QGIS</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>rows/polygons.py</name>
  <message>
    <source>{}: this layer cannot be read; choose a polygon layer</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: the layer has no CRS; set one in its properties</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>{}: no copy of the layer could be written; is the disk full?</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>rows/streaming.py</name>
  <message>
    <source>Survey layer: it changed while it was read, or could not be read to its end; nothing was spent. Try again when nothing writes into it</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>shown/describing.py</name>
  <message>
    <source>statement.md</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>attestation.html</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>release.dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>differential privacy</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>heatmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Authorised by</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Purpose</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Not to be used after</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Made with noise added on purpose; no point was moved, and none is shown.</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>shown/layers.py</name>
  <message>
    <source>Raster</source>
    <translation type="unfinished"></translation>
  </message>
</context>
<context>
  <name>shown/layout.py</name>
  <message>
    <source>This layer is not one of dpmap's: open a release, then choose one of its layers</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A private map</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>authorised_by</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>purpose</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>expires</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>the smallest places whose value can be told</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>cell by cell, as sure as noise allows</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>not told: noise hides what is there. It is not empty land.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Cells of one place are told together: how they differ is not known.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>A number is the estimate for its whole place; some are left out where they would overlap.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Made</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>release</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The whole promise, and what it does not protect: statement.md beside</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The template cannot be read: choose another .qpt file</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>The template is not one of QGIS: choose another .qpt file</source>
    <translation type="unfinished"></translation>
  </message>
</context>
</TS>
