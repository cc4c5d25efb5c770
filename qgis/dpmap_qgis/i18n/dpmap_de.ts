<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
  <name>algorithms/anew.py</name>
  <message>
    <source>Folder: it cannot be made here; choose another</source>
    <translation>Ordner: er lässt sich hier nicht anlegen; wählen Sie einen anderen</translation>
  </message>
  <message>
    <source>Folder: there is something in it already; choose a new one</source>
    <translation>Ordner: darin ist schon etwas; wählen Sie einen neuen</translation>
  </message>
</context>
<context>
  <name>algorithms/base.py</name>
  <message>
    <source>Before a release</source>
    <translation>Vor einer Karte</translation>
  </message>
  <message>
    <source>After a release</source>
    <translation>Nach einer Karte</translation>
  </message>
</context>
<context>
  <name>algorithms/compare.py</name>
  <message>
    <source>Compare</source>
    <translation>Vergleichen</translation>
  </message>
  <message>
    <source>Says where two released maps differ by more than their noise, cell by cell or in your zones.

It costs nothing: it reads both releases and spends no epsilon.</source>
    <translation>Sagt, wo sich zwei Karten um mehr als ihr Rauschen unterscheiden, Zelle für Zelle oder in Ihren Zonen.

Es kostet nichts: es liest beide Karten und gibt kein Epsilon aus.</translation>
  </message>
  <message>
    <source>Earlier release</source>
    <translation>Frühere Karte</translation>
  </message>
  <message>
    <source>Later release</source>
    <translation>Spätere Karte</translation>
  </message>
  <message>
    <source>Zones</source>
    <translation>Zonen</translation>
  </message>
  <message>
    <source>Polygons to compare instead of cells; the cells of the two maps may then differ.</source>
    <translation>Polygone, die statt Zellen verglichen werden; die Zellen der zwei Karten dürfen dann verschieden sein.</translation>
  </message>
  <message>
    <source>Rate of false changes</source>
    <translation>Anteil falscher Änderungen</translation>
  </message>
  <message>
    <source>Level</source>
    <translation>Sicherheit</translation>
  </message>
  <message>
    <source>Layer of both maps</source>
    <translation>Layer beider Karten</translation>
  </message>
  <message>
    <source>Layer of the earlier map</source>
    <translation>Layer der früheren Karte</translation>
  </message>
  <message>
    <source>Layer of the later map</source>
    <translation>Layer der späteren Karte</translation>
  </message>
  <message>
    <source>Where it is another than that of the other map.</source>
    <translation>Wo es ein anderer ist als der der anderen Karte.</translation>
  </message>
  <message>
    <source>Changes</source>
    <translation>Änderungen</translation>
  </message>
  <message>
    <source>A layer of the cells or zones with the change and its interval.</source>
    <translation>Ein Layer der Zellen oder Zonen mit der Änderung und ihrem Intervall.</translation>
  </message>
  <message>
    <source>Answer as JSON</source>
    <translation>Antwort als JSON</translation>
  </message>
</context>
<context>
  <name>algorithms/export.py</name>
  <message>
    <source>GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;QGIS style (*.qml);;SLD (*.sld)</source>
    <translation>GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;QGIS-Stil (*.qml);;SLD (*.sld)</translation>
  </message>
  <message>
    <source>Export</source>
    <translation>Exportieren</translation>
  </message>
  <message>
    <source>Writes a released map as a raster, a layer or a table, or in a form that an atlas or a portal takes as it is.

It costs nothing: the file holds what the release tells already. The ending of the file's name says which kind it is.</source>
    <translation>Schreibt eine Karte als Raster, Layer oder Tabelle, oder in einer Form, die ein Atlas oder Portal so nimmt.

Es kostet nichts: die Datei enthält, was die Karte schon sagt. Die Endung des Dateinamens sagt, welche Art sie ist.</translation>
  </message>
  <message>
    <source>Form</source>
    <translation>Form</translation>
  </message>
  <message>
    <source>What an atlas or a portal takes: occurrence-cube, atlas-csv, inspire-sd or ebv-cube. Empty: a plain layer or raster.</source>
    <translation>Was ein Atlas oder Portal nimmt: occurrence-cube, atlas-csv, inspire-sd oder ebv-cube. Leer: ein einfacher Layer oder Raster.</translation>
  </message>
  <message>
    <source>Kinds' keys</source>
    <translation>Schlüssel der Arten</translation>
  </message>
  <message>
    <source>With a form: each kind's key in the portal's list, one a line, like Red deer=2440958,Cervus elaphus.</source>
    <translation>Mit einer Form: der Schlüssel jeder Art in der Liste des Portals, einer je Zeile, etwa Red deer=2440958,Cervus elaphus.</translation>
  </message>
  <message>
    <source>Year or month</source>
    <translation>Jahr oder Monat</translation>
  </message>
  <message>
    <source>With a form: the year or month of a map without times, like 2024 or 2024-05; where there are several, with blanks between.</source>
    <translation>Mit einer Form: Jahr oder Monat einer Karte ohne Zeiten, etwa 2024 oder 2024-05; mehrere durch Leerzeichen getrennt.</translation>
  </message>
  <message>
    <source>Layer of the map</source>
    <translation>Layer der Karte</translation>
  </message>
  <message>
    <source>File</source>
    <translation>Datei</translation>
  </message>
  <message>
    <source>Where it is written; its ending says as what.</source>
    <translation>Wohin sie geschrieben wird; die Endung sagt, als was.</translation>
  </message>
  <message>
    <source>File that was written</source>
    <translation>Geschriebene Datei</translation>
  </message>
  <message>
    <source>File: its folder is not there; choose another</source>
    <translation>Datei: ihr Ordner fehlt; wählen Sie einen anderen</translation>
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
    <translation>Macht eine Karte davon, wie dicht Meldungen liegen, die sich kaum ändert, ob eine einzelne Einheit dabei war oder nicht.

&lt;b&gt;Einheit&lt;/b&gt;: wer geschützt ist: eine Person, ein Ort, ein Tier, nach dem Feld, das sie nennt. &lt;b&gt;Obergrenze&lt;/b&gt;: wie viel eine Einheit höchstens zählt. &lt;b&gt;Epsilon&lt;/b&gt;: wie weit die Karte jemandes Chancen über eine Einheit verschieben darf; weniger schützt mehr und sagt weniger. Es wird endgültig ausgegeben, aus dem &lt;b&gt;Budget&lt;/b&gt;, über das das &lt;b&gt;Kontobuch&lt;/b&gt; für den Datensatz wacht.

Gebiet, Zellen, Obergrenze und Epsilon sind öffentlich: wählen Sie sie, bevor Sie die Daten ansehen. Nichts wird ausgegeben, bevor alles geprüft ist.

Ein Layer, der eine einfache Datei ist, wird aus dieser Datei gelesen. Die Zeilen jedes anderen (gefiltert, ausgewählt, verknüpft, im Speicher, von einem Server) werden dpmap einzeln übergeben, und die Erklärung sagt das. Wo Filter, Auswahl, Verknüpfung oder Ausdruck über Zeilen entscheiden, müssen Sie das bestätigen: sie können die Zeile einer Person wegen der einer anderen behalten, und das Versprechen gilt dann für die Zeilen, die übrig bleiben.

Hier steht, was die meisten Karten brauchen. Mittelwerte, Stufen, persönliche Grenzen, Gaußsches Rauschen, mehrere Dateien und Arbeitsmappen: dpmap release auf der Kommandozeile oder eine dpmap.toml.</translation>
  </message>
  <message>
    <source>cancelled while the rows were handed over: dpmap never had all of them, so nothing was counted and nothing was spent</source>
    <translation>abgebrochen, während die Zeilen übergeben wurden: dpmap hatte nie alle, also wurde nichts gezählt und nichts ausgegeben</translation>
  </message>
  <message>
    <source>Private heatmap</source>
    <translation>Private Heatmap</translation>
  </message>
  <message>
    <source>Read: the layer's own file</source>
    <translation>Gelesen: die eigene Datei des Layers</translation>
  </message>
  <message>
    <source>Read: rows streamed from the layer</source>
    <translation>Gelesen: Zeilen, vom Layer übergeben</translation>
  </message>
  <message>
    <source>Spent epsilon {}; {} of {} remains.</source>
    <translation>Epsilon {} ausgegeben; {} von {} bleibt.</translation>
  </message>
  <message>
    <source>The map is made, but its layers could not be loaded: open cells.gpkg in its folder.</source>
    <translation>Die Karte ist gemacht, aber ihre Layer ließen sich nicht laden: öffnen Sie cells.gpkg in ihrem Ordner.</translation>
  </message>
  <message>
    <source>This map spends epsilon {} of the ledger, for good.</source>
    <translation>Diese Karte gibt Epsilon {} des Kontobuchs aus, endgültig.</translation>
  </message>
  <message>
    <source>This map would spend epsilon {}, and {} remains in the ledger.</source>
    <translation>Diese Karte würde Epsilon {} ausgeben, und im Kontobuch bleibt {}.</translation>
  </message>
  <message>
    <source>This map spends epsilon {} for good: {} remains in the ledger now, {} after it.</source>
    <translation>Diese Karte gibt endgültig Epsilon {} aus: im Kontobuch bleibt jetzt {}, danach {}.</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_checks.py</name>
  <message>
    <source>Survey layer: it holds changes that are not saved; save or discard them first</source>
    <translation>Layer der Erhebung: er enthält ungespeicherte Änderungen; speichern oder verwerfen Sie sie zuerst</translation>
  </message>
  <message>
    <source>Survey layer: {} decides which rows or values count. An expression or a hand may keep or leave out one person's rows because of another's, and the promise is then about the rows that are left. If that is meant, tick “The rows left by a filter, a selection, a join or an expression are what is meant”</source>
    <translation>Layer der Erhebung: {} entscheidet, welche Zeilen oder Werte zählen. Ein Ausdruck oder eine Hand kann Zeilen einer Person wegen der Zeilen einer anderen behalten oder weglassen; das Versprechen gilt dann für die Zeilen, die übrig bleiben. Ist das so gemeint, setzen Sie das Häkchen bei „Gemeint sind die Zeilen, die Filter, Auswahl, Verknüpfung oder Ausdruck übrig lassen“</translation>
  </message>
  <message>
    <source>Survey layer: choose a layer with places</source>
    <translation>Layer der Erhebung: wählen Sie einen Layer mit Orten</translation>
  </message>
  <message>
    <source>Survey layer: a limit on the number of features lets one person's row push out another's; take it away</source>
    <translation>Layer der Erhebung: eine Höchstzahl von Objekten lässt die Zeile einer Person die einer anderen verdrängen; nehmen Sie sie weg</translation>
  </message>
  <message>
    <source> and </source>
    <translation> und </translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which reference system its coordinates are in; set the layer's CRS</source>
    <translation>Layer der Erhebung: das Bezugssystem seiner Koordinaten ist nicht angegeben; setzen Sie das KBS des Layers</translation>
  </message>
  <message>
    <source>Survey layer: it holds lines or areas; tick “Lines and areas count, at a point on them”, or choose points</source>
    <translation>Layer der Erhebung: er enthält Linien oder Flächen; setzen Sie das Häkchen bei „Linien und Flächen zählen, an einem Punkt auf ihnen“ oder wählen Sie Punkte</translation>
  </message>
  <message>
    <source>Unit</source>
    <translation>Einheit</translation>
  </message>
  <message>
    <source>Consent</source>
    <translation>Einwilligung</translation>
  </message>
  <message>
    <source>Uncertainty</source>
    <translation>Ungenauigkeit</translation>
  </message>
  <message>
    <source>Site</source>
    <translation>Ort</translation>
  </message>
  <message>
    <source>{}: the layer has no such field, or it holds lists, maps or bytes; choose another</source>
    <translation>{}: der Layer hat kein solches Feld, oder es enthält Listen, Zuordnungen oder Bytes; wählen Sie ein anderes</translation>
  </message>
  <message>
    <source>Area: choose a polygon layer or name a country, one of the two; it is never read off the survey</source>
    <translation>Gebiet: wählen Sie einen Polygonlayer oder nennen Sie ein Land, eines von beiden; es wird nie aus der Erhebung gelesen</translation>
  </message>
  <message>
    <source>Cells: give one of the four: a size like 1 km, an official grid, hexagons, or the polygons of the area</source>
    <translation>Zellen: geben Sie eines der vier an: eine Größe wie 1 km, ein amtliches Gitter, Sechsecke oder die Polygone des Gebiets</translation>
  </message>
  <message>
    <source>Cells: a country is one polygon; choose a layer of areas to have one cell for each</source>
    <translation>Zellen: ein Land ist ein Polygon; wählen Sie einen Layer von Flächen, um je Fläche eine Zelle zu haben</translation>
  </message>
  <message>
    <source>Area: it is the survey's own layer; the area must be public, and is never read off the survey</source>
    <translation>Gebiet: das ist der Layer der Erhebung; das Gebiet muss öffentlich sein und wird nie aus der Erhebung gelesen</translation>
  </message>
  <message>
    <source>Area: the layer holds no polygons; choose one that does</source>
    <translation>Gebiet: der Layer enthält keine Polygone; wählen Sie einen anderen</translation>
  </message>
  <message>
    <source>Area: it holds changes that are not saved; save or discard them first</source>
    <translation>Gebiet: er enthält ungespeicherte Änderungen; speichern oder verwerfen Sie sie zuerst</translation>
  </message>
  <message>
    <source>Area: set the layer's CRS</source>
    <translation>Gebiet: setzen Sie das KBS des Layers</translation>
  </message>
  <message>
    <source>Unit: say who is protected: choose the field that names each, or tick “each row is a unit”; there is no default</source>
    <translation>Einheit: sagen Sie, wer geschützt ist: wählen Sie das Feld, das jeden nennt, oder setzen Sie das Häkchen bei „oder jede Zeile ist eine Einheit“; es gibt keine Vorgabe</translation>
  </message>
  <message>
    <source>Unit: a field called row would make each row a unit; give it another name first</source>
    <translation>Einheit: ein Feld namens row würde jede Zeile zur Einheit machen; geben Sie ihm zuerst einen anderen Namen</translation>
  </message>
  <message>
    <source>Cap: it must be a whole number of at least 1, like 5</source>
    <translation>Obergrenze: eine ganze Zahl ab 1, etwa 5</translation>
  </message>
  <message>
    <source>Epsilon: it must be a number above 0 with a point, like 0.5</source>
    <translation>Epsilon: eine Zahl über 0 mit Punkt, etwa 0.5</translation>
  </message>
  <message>
    <source>Budget: it must be a number above 0 with a point, like 3</source>
    <translation>Budget: eine Zahl über 0 mit Punkt, etwa 3</translation>
  </message>
  <message>
    <source>Consent: choose its field and write the values that mean yes, or leave both empty</source>
    <translation>Einwilligung: wählen Sie ihr Feld und schreiben Sie die Werte, die Ja bedeuten, oder lassen Sie beides leer</translation>
  </message>
  <message>
    <source>Data set: give it a name, the same for each map of this survey</source>
    <translation>Datensatz: geben Sie ihm einen Namen, denselben für jede Karte dieser Erhebung</translation>
  </message>
  <message>
    <source>Folder: name a new folder that stays; a map that was paid for must not lie among temporary files</source>
    <translation>Ordner: nennen Sie einen neuen Ordner, der bleibt; eine bezahlte Karte darf nicht unter temporären Dateien liegen</translation>
  </message>
  <message>
    <source>Folder: it holds a release already; choose a new one (where that one was broken off: dpmap release --resume FOLDER)</source>
    <translation>Ordner: er enthält schon eine Karte; wählen Sie einen neuen (wurde sie abgebrochen: dpmap release --resume FOLDER)</translation>
  </message>
  <message>
    <source>Folder: the folder around it does not exist; make it first</source>
    <translation>Ordner: der Ordner darüber fehlt; legen Sie ihn zuerst an</translation>
  </message>
  <message>
    <source>Ledger: name its file; it keeps what all maps of the data set have cost</source>
    <translation>Kontobuch: nennen Sie seine Datei; es bewahrt, was alle Karten des Datensatzes gekostet haben</translation>
  </message>
  <message>
    <source>Ledger: its folder does not exist; make it first, or choose another</source>
    <translation>Kontobuch: sein Ordner fehlt; legen Sie ihn zuerst an oder wählen Sie einen anderen</translation>
  </message>
  <message>
    <source>Budget: the ledger knows no such data set; check its name, or begin it by giving the ledger's budget, {}</source>
    <translation>Budget: das Kontobuch kennt diesen Datensatz nicht; prüfen Sie seinen Namen, oder beginnen Sie ihn, indem Sie das Budget des Kontobuchs angeben, {}</translation>
  </message>
  <message>
    <source>Budget: the ledger does not hold this data set yet; say how much epsilon it may ever cost, like 3</source>
    <translation>Budget: das Kontobuch enthält diesen Datensatz noch nicht; sagen Sie, wie viel Epsilon er je kosten darf, etwa 3</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_help.py</name>
  <message>
    <source>The layer with the records, a row each. It is read, never changed or copied; a filter and a selection are honoured.</source>
    <translation>Der Layer mit den Meldungen, eine je Zeile. Er wird gelesen, nie verändert oder kopiert; Filter und Auswahl werden beachtet.</translation>
  </message>
  <message>
    <source>Tick it where a filter, a selection, a join or an expression decides which rows count. The promise is then about the rows that are left.</source>
    <translation>Setzen Sie das Häkchen, wo Filter, Auswahl, Verknüpfung oder Ausdruck entscheiden, welche Zeilen zählen. Das Versprechen gilt dann für die Zeilen, die übrig bleiben.</translation>
  </message>
  <message>
    <source>The study area: a public layer of polygons. It is part of the map, so it must not be drawn around the records.</source>
    <translation>Das Gebiet: ein öffentlicher Layer von Polygonen. Es ist Teil der Karte und darf deshalb nicht um die Meldungen gezogen sein.</translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya. Its border comes with dpmap.</source>
    <translation>Der englische Name eines Landes statt eines Gebietslayers, etwa Kenya. Seine Grenze bringt dpmap mit.</translation>
  </message>
  <message>
    <source>The side of a square cell with its unit, like 1 km, 500 m, 0.1 deg or 5 min. Larger cells tell more surely.</source>
    <translation>Die Seite einer quadratischen Zelle mit ihrer Einheit, etwa 1 km, 500 m, 0.1 deg oder 5 min. Größere Zellen sagen es sicherer.</translation>
  </message>
  <message>
    <source>The cells of an official grid instead, by its name: each cell gets the code that others know it by.</source>
    <translation>Stattdessen die Zellen eines amtlichen Gitters, nach seinem Namen: jede Zelle bekommt den Code, unter dem andere sie kennen.</translation>
  </message>
  <message>
    <source>H3 hexagons instead of squares: 0 is the coarsest, 15 the finest; one of 6 covers about 36 square kilometres.</source>
    <translation>H3-Sechsecke statt Quadraten: 0 ist am gröbsten, 15 am feinsten; eines von 6 bedeckt etwa 36 Quadratkilometer.</translation>
  </message>
  <message>
    <source>Counts in each polygon of the area layer instead of in squares: districts, parks, fields.</source>
    <translation>Zählt in jedem Polygon des Gebietslayers statt in Quadraten: Bezirke, Parks, Felder.</translation>
  </message>
  <message>
    <source>The field that names who is protected: the person, the nest, the animal. All rows with one name are one unit.</source>
    <translation>Das Feld, das nennt, wer geschützt ist: die Person, das Nest, das Tier. Alle Zeilen mit einem Namen sind eine Einheit.</translation>
  </message>
  <message>
    <source>Protects each row by itself. Somebody who stands in many rows is then not protected: choose a field where you can.</source>
    <translation>Schützt jede Zeile für sich. Wer in vielen Zeilen steht, ist dann nicht geschützt: wählen Sie ein Feld, wo Sie können.</translation>
  </message>
  <message>
    <source>How many points one unit adds to the whole map at most. Choose it from what is known of the work, not from these rows.</source>
    <translation>Wie viele Punkte eine Einheit in der ganzen Karte höchstens zählt. Wählen Sie es nach dem, was von der Arbeit bekannt ist, nicht nach diesen Zeilen.</translation>
  </message>
  <message>
    <source>How far the map may move anybody's odds about one unit; smaller protects more. The word next takes the ledger's plan.</source>
    <translation>Wie weit die Karte jemandes Chancen über eine Einheit verschieben darf; weniger schützt mehr. Das Wort next nimmt den Plan des Kontobuchs.</translation>
  </message>
  <message>
    <source>The field that says whether a row may count. A row that says something else is left out before anything is counted.</source>
    <translation>Das Feld, das sagt, ob eine Zeile zählen darf. Sagt eine Zeile etwas anderes, wird sie weggelassen, bevor gezählt wird.</translation>
  </message>
  <message>
    <source>What stands in that field where the answer is yes, with commas between; all else is no.</source>
    <translation>Was in diesem Feld steht, wo die Antwort Ja ist, durch Kommas getrennt; alles andere ist Nein.</translation>
  </message>
  <message>
    <source>The file that keeps what all maps of a data set have cost. Name the same one each time; a second one would forget the first.</source>
    <translation>Die Datei, die bewahrt, was alle Karten eines Datensatzes gekostet haben. Nennen Sie jedes Mal dieselbe; eine zweite würde die erste vergessen.</translation>
  </message>
  <message>
    <source>The name under which the ledger keeps this survey. Give each map of the same people or places the same name.</source>
    <translation>Der Name, unter dem das Kontobuch diese Erhebung führt. Geben Sie jeder Karte derselben Menschen oder Orte denselben Namen.</translation>
  </message>
  <message>
    <source>The most epsilon that all maps of this data set may ever cost together. It is declared once, at the first map.</source>
    <translation>So viel Epsilon dürfen alle Karten dieses Datensatzes zusammen je kosten. Es wird einmal angegeben, bei der ersten Karte.</translation>
  </message>
  <message>
    <source>A new folder that stays: the release, its layers, its statement and its page are put there.</source>
    <translation>Ein neuer Ordner, der bleibt: die Karte, ihre Layer, ihre Erklärung und ihre Seite kommen hinein.</translation>
  </message>
  <message>
    <source>Only rows for which this is true count. It looks at one row by itself, so that nobody's row depends on another's.</source>
    <translation>Nur Zeilen, für die dies wahr ist, zählen. Es sieht jede Zeile für sich an, damit niemandes Zeile von der eines anderen abhängt.</translation>
  </message>
  <message>
    <source>Rows of this day and later count. Write the column before it where there are several: seen=2020-05.</source>
    <translation>Zeilen ab diesem Tag zählen. Schreiben Sie die Spalte davor, wo es mehrere gibt: seen=2020-05.</translation>
  </message>
  <message>
    <source>Rows up to this day count, the day itself included.</source>
    <translation>Zeilen bis zu diesem Tag zählen, der Tag selbst mit.</translation>
  </message>
  <message>
    <source>The order of day, month and year where it can be read two ways: dmy is 31/05/2020.</source>
    <translation>Die Reihenfolge von Tag, Monat und Jahr, wo man sie auf zwei Arten lesen kann: dmy ist 31/05/2020.</translation>
  </message>
  <message>
    <source>What is left out where somebody refuses: the row that says so, or every row of that unit.</source>
    <translation>Was wegfällt, wo jemand ablehnt: die Zeile, die es sagt, oder jede Zeile dieser Einheit.</translation>
  </message>
  <message>
    <source>What happens to a row that names nobody: it is dropped, or it counts as a unit of its own.</source>
    <translation>Was mit einer Zeile geschieht, die niemanden nennt: sie fällt weg, oder sie zählt als eigene Einheit.</translation>
  </message>
  <message>
    <source>Where one text names several people: what stands between the names. Each of them is then protected.</source>
    <translation>Wo ein Text mehrere Menschen nennt: was zwischen den Namen steht. Jeder von ihnen ist dann geschützt.</translation>
  </message>
  <message>
    <source>The field that says by how many metres a place may be wrong.</source>
    <translation>Das Feld, das sagt, um wie viele Meter ein Ort falsch sein kann.</translation>
  </message>
  <message>
    <source>Rows whose place is less certain than this are left out; write a length, like 1 km.</source>
    <translation>Zeilen, deren Ort ungenauer ist als dies, fallen weg; schreiben Sie eine Länge, etwa 1 km.</translation>
  </message>
  <message>
    <source>A line or an area counts once, at a point that lies on it. Without this only points are taken.</source>
    <translation>Eine Linie oder Fläche zählt einmal, an einem Punkt, der auf ihr liegt. Ohne dies werden nur Punkte genommen.</translation>
  </message>
  <message>
    <source>The field that names the site of each row, where the sites are to be protected beside the units.</source>
    <translation>Das Feld, das den Ort jeder Zeile nennt, wenn die Orte neben den Einheiten geschützt sein sollen.</translation>
  </message>
  <message>
    <source>A file with the place of each site. It is kept as the survey is: it is not part of the map.</source>
    <translation>Eine Datei mit der Lage jedes Ortes. Sie wird verwahrt wie die Erhebung: sie ist kein Teil der Karte.</translation>
  </message>
  <message>
    <source>From how many units one site takes points at most; without it, from one.</source>
    <translation>Von wie vielen Einheiten ein Ort höchstens Punkte nimmt; ohne Angabe von einer.</translation>
  </message>
  <message>
    <source>How a unit with more rows than the cap is held to it: all rows weigh less (scale), some are drawn (sample), or each cell counts once (presence).</source>
    <translation>Wie eine Einheit mit mehr Zeilen als der Obergrenze an sie gehalten wird: alle Zeilen wiegen weniger (scale), einige werden gezogen (sample), oder jede Zelle zählt einmal (presence).</translation>
  </message>
  <message>
    <source>Adaptive joins cells where little is and is right for most maps; flat gives each cell its own noisy number; sparse:20 only those of 20 and more.</source>
    <translation>Adaptive fügt Zellen zusammen, wo wenig ist, und passt für die meisten Karten; flat gibt jeder Zelle ihre eigene verrauschte Zahl; sparse:20 nur denen ab 20.</translation>
  </message>
  <message>
    <source>Makes a map for each kind that you name, all under one cap and one epsilon: species=Kestrel,Red kite.</source>
    <translation>Macht eine Karte für jede Art, die Sie nennen, alle unter einer Obergrenze und einem Epsilon: species=Kestrel,Red kite.</translation>
  </message>
  <message>
    <source>Makes a map for each span between two dates: seen=2023,2024,2025 makes two, one for each year.</source>
    <translation>Macht eine Karte für jeden Zeitraum zwischen zwei Daten: seen=2023,2024,2025 macht zwei, eine für jedes Jahr.</translation>
  </message>
  <message>
    <source>Takes only the polygons of the area layer in which a text field holds exactly this name.</source>
    <translation>Nimmt nur die Polygone des Gebietslayers, bei denen ein Textfeld genau diesen Namen enthält.</translation>
  </message>
  <message>
    <source>The reference system in which the squares are laid out. Leave it empty to have one chosen that keeps areas true.</source>
    <translation>Das Bezugssystem, in dem die Quadrate ausgelegt werden. Leer: es wird eines gewählt, das Flächen treu wiedergibt.</translation>
  </message>
  <message>
    <source>Refuses cells that are smaller than a body of practice allows for such records, like gbif-2.</source>
    <translation>Lehnt Zellen ab, die kleiner sind, als eine Praxisregel für solche Meldungen erlaubt, etwa gbif-2.</translation>
  </message>
  <message>
    <source>Confirms that so small a map is meant: with four cells or fewer a mistake of size is likelier.</source>
    <translation>Bestätigt, dass eine so kleine Karte gemeint ist: bei vier Zellen oder weniger ist ein Irrtum über die Größe wahrscheinlicher.</translation>
  </message>
  <message>
    <source>Tick it where somebody chose the cap after seeing the rows: the statement then says so, as honesty asks.</source>
    <translation>Setzen Sie das Häkchen, wo jemand die Obergrenze gewählt hat, nachdem er die Zeilen sah: die Erklärung sagt es dann, wie es ehrlich ist.</translation>
  </message>
  <message>
    <source>The person or body that decided to publish; shown on the map.</source>
    <translation>Die Person oder Stelle, die über die Veröffentlichung entschied; steht auf der Karte.</translation>
  </message>
  <message>
    <source>What readers may use it for; shown on the map.</source>
    <translation>Wofür Leser sie benutzen dürfen; steht auf der Karte.</translation>
  </message>
  <message>
    <source>The day after which it must not be used any more; shown on the map.</source>
    <translation>Der Tag, nach dem sie nicht mehr benutzt werden darf; steht auf der Karte.</translation>
  </message>
  <message>
    <source>Labels by which an Indigenous community says how its knowledge may be used; shown on the map.</source>
    <translation>Labels, mit denen eine indigene Gemeinschaft sagt, wie ihr Wissen benutzt werden darf; stehen auf der Karte.</translation>
  </message>
  <message>
    <source>The terms of use, by a short name like CC-BY-4.0 or an https address.</source>
    <translation>Die Nutzungsbedingungen, mit einem kurzen Namen wie CC-BY-4.0 oder einer https-Adresse.</translation>
  </message>
  <message>
    <source>Why exact places are withheld, in a term that portals know.</source>
    <translation>Warum genaue Orte zurückgehalten werden, mit einem Begriff, den Portale kennen.</translation>
  </message>
  <message>
    <source>Told to auditors: who holds the survey and the ledger, where, and when they are destroyed.</source>
    <translation>Für Prüfer: wer Erhebung und Kontobuch hält, wo, und wann sie vernichtet werden.</translation>
  </message>
  <message>
    <source>Other maps or tables of the same data, which add to what is known; or the word nothing.</source>
    <translation>Andere Karten oder Tabellen derselben Daten, die zum Bekannten beitragen; oder das Wort nothing.</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_inputs.py</name>
  <message>
    <source>Release file</source>
    <translation>Datei der Karte</translation>
  </message>
  <message>
    <source>Statement</source>
    <translation>Erklärung</translation>
  </message>
  <message>
    <source>Patches</source>
    <translation>Flächen</translation>
  </message>
  <message>
    <source>Cells</source>
    <translation>Zellen</translation>
  </message>
  <message>
    <source>Spent</source>
    <translation>Ausgegeben</translation>
  </message>
  <message>
    <source>Remaining</source>
    <translation>Verbleibend</translation>
  </message>
  <message>
    <source>Event in the ledger</source>
    <translation>Eintrag im Kontobuch</translation>
  </message>
  <message>
    <source>Survey layer</source>
    <translation>Layer der Erhebung</translation>
  </message>
  <message>
    <source>The rows left by a filter, a selection, a join or an expression are what is meant</source>
    <translation>Gemeint sind die Zeilen, die Filter, Auswahl, Verknüpfung oder Ausdruck übrig lassen</translation>
  </message>
  <message>
    <source>Area: a polygon layer, never the survey</source>
    <translation>Gebiet: ein Polygonlayer, nie die Erhebung</translation>
  </message>
  <message>
    <source>or a country, like Kenya</source>
    <translation>oder ein Land, etwa Kenya</translation>
  </message>
  <message>
    <source>Square cells, like 1 km or 0.1 deg</source>
    <translation>Quadratische Zellen, etwa 1 km oder 0.1 deg</translation>
  </message>
  <message>
    <source>or the cells of an official grid</source>
    <translation>oder die Zellen eines amtlichen Gitters</translation>
  </message>
  <message>
    <source>or H3 hexagons of this resolution</source>
    <translation>oder H3-Sechsecke dieser Auflösung</translation>
  </message>
  <message>
    <source>or one cell for each polygon of the area</source>
    <translation>oder eine Zelle für jedes Polygon des Gebiets</translation>
  </message>
  <message>
    <source>Unit: the field that says who is protected</source>
    <translation>Einheit: das Feld, das sagt, wer geschützt ist</translation>
  </message>
  <message>
    <source>or each row is a unit (a person with many rows is then not protected)</source>
    <translation>oder jede Zeile ist eine Einheit (wer viele Zeilen hat, ist dann nicht geschützt)</translation>
  </message>
  <message>
    <source>Cap: most points one unit adds, like 5</source>
    <translation>Obergrenze: so viele Punkte zählt eine Einheit höchstens, etwa 5</translation>
  </message>
  <message>
    <source>Epsilon: how far it may move odds about one unit, like 0.5</source>
    <translation>Epsilon: wie weit die Karte Chancen über eine Einheit verschieben darf, etwa 0.5</translation>
  </message>
  <message>
    <source>Consent: the field that says yes</source>
    <translation>Einwilligung: das Feld, das Ja sagt</translation>
  </message>
  <message>
    <source>Values that mean yes, like yes,true</source>
    <translation>Werte, die Ja bedeuten, etwa yes,true</translation>
  </message>
  <message>
    <source>Ledger: its file, the same each time (a new name begins one)</source>
    <translation>Kontobuch: seine Datei, jedes Mal dieselbe (ein neuer Name beginnt eines)</translation>
  </message>
  <message>
    <source>Data set: its name in the ledger</source>
    <translation>Datensatz: sein Name im Kontobuch</translation>
  </message>
  <message>
    <source>Budget: most epsilon ever, at the first release of the data set</source>
    <translation>Budget: so viel Epsilon darf der Datensatz je kosten, bei seiner ersten Karte</translation>
  </message>
  <message>
    <source>New folder for the release</source>
    <translation>Neuer Ordner für die Karte</translation>
  </message>
  <message>
    <source>Rule over a row's own columns, like species = 'Kestrel' and year &gt;= 2020</source>
    <translation>Regel über die eigenen Spalten einer Zeile, etwa species = 'Kestrel' and year &gt;= 2020</translation>
  </message>
  <message>
    <source>First date that counts, like 2020-05 or COLUMN=2020</source>
    <translation>Erster Tag, der zählt, etwa 2020-05 oder COLUMN=2020</translation>
  </message>
  <message>
    <source>Last date that counts</source>
    <translation>Letzter Tag, der zählt</translation>
  </message>
  <message>
    <source>How dates are written: dmy, mdy, ymd, iso</source>
    <translation>Wie Daten geschrieben sind: dmy, mdy, ymd, iso</translation>
  </message>
  <message>
    <source>What a refusal takes</source>
    <translation>Was eine Ablehnung wegnimmt</translation>
  </message>
  <message>
    <source>Rows that name nobody</source>
    <translation>Zeilen, die niemanden nennen</translation>
  </message>
  <message>
    <source>What stands between names in one text: auto, none, or like ; &amp;</source>
    <translation>Was Namen in einem Text trennt: auto, none oder etwa ; &amp;</translation>
  </message>
  <message>
    <source>Field of uncertainty in metres</source>
    <translation>Feld der Ungenauigkeit in Metern</translation>
  </message>
  <message>
    <source>Leave out what is less certain, like 1 km</source>
    <translation>Ungenaueres weglassen, etwa ab 1 km</translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them</source>
    <translation>Linien und Flächen zählen, an einem Punkt auf ihnen</translation>
  </message>
  <message>
    <source>Field of the sites to protect too</source>
    <translation>Feld der Orte, die auch geschützt sind</translation>
  </message>
  <message>
    <source>File that says where each site is</source>
    <translation>Datei, die sagt, wo jeder Ort ist</translation>
  </message>
  <message>
    <source>Most contributors that one site counts for</source>
    <translation>Für so viele Beitragende zählt ein Ort höchstens</translation>
  </message>
  <message>
    <source>How the cap is kept</source>
    <translation>Wie die Obergrenze eingehalten wird</translation>
  </message>
  <message>
    <source>How epsilon is spent: adaptive, flat, or like sparse:20</source>
    <translation>Wie Epsilon verteilt wird: adaptive, flat oder etwa sparse:20</translation>
  </message>
  <message>
    <source>A map for each kind: COLUMN=A,B,C, one column a line</source>
    <translation>Eine Karte je Art: COLUMN=A,B,C, eine Spalte je Zeile</translation>
  </message>
  <message>
    <source>A map for each span between dates: COLUMN=2023,2024,2025</source>
    <translation>Eine Karte je Zeitraum: COLUMN=2023,2024,2025</translation>
  </message>
  <message>
    <source>Only the polygons of the area of this name</source>
    <translation>Nur die Polygone des Gebiets mit diesem Namen</translation>
  </message>
  <message>
    <source>National grid for the cells, like EPSG:27700</source>
    <translation>Nationales Gitter für die Zellen, etwa EPSG:27700</translation>
  </message>
  <message>
    <source>Rule of practice: smallest cells allowed</source>
    <translation>Praxisregel: kleinste erlaubte Zellen</translation>
  </message>
  <message>
    <source>An area of four cells or fewer is what is meant</source>
    <translation>Ein Gebiet von vier Zellen oder weniger ist gemeint</translation>
  </message>
  <message>
    <source>The cap was found by looking at the true numbers</source>
    <translation>Die Obergrenze wurde an den wahren Zahlen gefunden</translation>
  </message>
  <message>
    <source>Who authorised this map</source>
    <translation>Wer diese Karte erlaubt hat</translation>
  </message>
  <message>
    <source>What it may be used for</source>
    <translation>Wofür sie benutzt werden darf</translation>
  </message>
  <message>
    <source>Last day of use, like 2031-12-31</source>
    <translation>Letzter Tag der Nutzung, etwa 2031-12-31</translation>
  </message>
  <message>
    <source>Local Contexts labels, one a line, like TK Attribution</source>
    <translation>Local-Contexts-Labels, eines je Zeile, etwa TK Attribution</translation>
  </message>
  <message>
    <source>Licence, like CC-BY-4.0</source>
    <translation>Lizenz, etwa CC-BY-4.0</translation>
  </message>
  <message>
    <source>Why its places are sensitive, like speciesLocation</source>
    <translation>Warum ihre Orte empfindlich sind, etwa speciesLocation</translation>
  </message>
  <message>
    <source>Who can reach the survey and the ledger, and for how long</source>
    <translation>Wer an Erhebung und Kontobuch herankommt, und wie lange</translation>
  </message>
  <message>
    <source>What else was published of the same data, one a line, or: nothing</source>
    <translation>Was sonst aus denselben Daten veröffentlicht wurde, eines je Zeile, oder: nothing</translation>
  </message>
</context>
<context>
  <name>algorithms/hotspots.py</name>
  <message>
    <source>Hot spots</source>
    <translation>Brennpunkte</translation>
  </message>
  <message>
    <source>Draws where a released map holds more than a number, or more than the land around: only places that noise alone does not explain.

It costs nothing: it reads the release and spends no epsilon.</source>
    <translation>Zeichnet, wo eine Karte mehr enthält als eine Zahl oder als das Land ringsum: nur Flächen, die sich von Rauschen unterscheiden.

Es kostet nichts: es liest die Karte und gibt kein Epsilon aus.</translation>
  </message>
  <message>
    <source>Above</source>
    <translation>Über</translation>
  </message>
  <message>
    <source>A number that a cell must exceed, like 20; or the word surroundings.</source>
    <translation>Eine Zahl, die eine Zelle übersteigen muss, etwa 20; oder das Wort surroundings.</translation>
  </message>
  <message>
    <source>Rate of false ones</source>
    <translation>Anteil falscher</translation>
  </message>
  <message>
    <source>A layer of their outlines with totals and intervals.</source>
    <translation>Ein Layer ihrer Umrisse mit Summen und Intervallen.</translation>
  </message>
  <message>
    <source>How many</source>
    <translation>Wie viele</translation>
  </message>
</context>
<context>
  <name>algorithms/inputs.py</name>
  <message>
    <source>A release.dpmap file, your own or a stranger's; its folder or its cells.gpkg is understood too. It is read, never changed.</source>
    <translation>Eine Datei release.dpmap, Ihre eigene oder eine fremde; ihr Ordner oder ihr cells.gpkg wird auch verstanden. Sie wird gelesen, nie verändert.</translation>
  </message>
  <message>
    <source>Which layer of a map of kinds and times, like "Kestrel, 2024"; leave it empty for a map that has one.</source>
    <translation>Welcher Layer einer Karte mit Arten und Zeiten, etwa "Kestrel, 2024"; leer für eine Karte, die nur einen hat.</translation>
  </message>
  <message>
    <source>How often an interval holds the truth: 0.9 is nine times in ten. More certain intervals are wider.</source>
    <translation>Wie oft ein Intervall die Wahrheit enthält: 0.9 ist neun von zehn Mal. Sicherere Intervalle sind breiter.</translation>
  </message>
  <message>
    <source>The largest expected share of false ones among all that are named: 0.1 is one in ten.</source>
    <translation>Der größte erwartete Anteil falscher unter allen genannten: 0.1 ist einer von zehn.</translation>
  </message>
  <message>
    <source>Release</source>
    <translation>Karte</translation>
  </message>
  <message>
    <source>{}: there is no release.dpmap in this folder; choose the file itself</source>
    <translation>{}: in diesem Ordner ist kein release.dpmap; wählen Sie die Datei selbst</translation>
  </message>
  <message>
    <source>{}: there is no such file; check its path</source>
    <translation>{}: es gibt keine solche Datei; prüfen Sie ihren Pfad</translation>
  </message>
  <message>
    <source>{}: write a number between 0 and 1, like 0.9</source>
    <translation>{}: schreiben Sie eine Zahl zwischen 0 und 1, etwa 0.9</translation>
  </message>
  <message>
    <source>{}: choose a file in a folder that is there, like answer.gpkg</source>
    <translation>{}: wählen Sie eine Datei in einem vorhandenen Ordner, etwa answer.gpkg</translation>
  </message>
  <message>
    <source>this kind of file cannot be written here; choose one like answer.gpkg</source>
    <translation>diese Art von Datei lässt sich hier nicht schreiben; wählen Sie eine wie answer.gpkg</translation>
  </message>
</context>
<context>
  <name>algorithms/inspect.py</name>
  <message>
    <source>True numbers of the survey: for the operator's eyes only. Do not publish, send or show them. A cap that you choose after seeing them must be declared so: tick “The cap was found by looking at the true numbers” in Private heatmap.</source>
    <translation>Wahre Zahlen der Erhebung: nur für die Augen der Person, die sie verwaltet. Veröffentlichen, senden oder zeigen Sie sie nicht. Eine Obergrenze, die Sie danach wählen, muss so angegeben werden: setzen Sie in Private Heatmap das Häkchen bei „Die Obergrenze wurde an den wahren Zahlen gefunden“.</translation>
  </message>
  <message>
    <source>Inspect</source>
    <translation>Ansehen</translation>
  </message>
  <message>
    <source>Looks at a survey before a release: how its rows are read, how many units there are, what each cap leaves out.

It spends no epsilon, but its numbers have no noise: they protect nobody. They stand in this run's log and nowhere else, unless you ask for a file.</source>
    <translation>Sieht eine Erhebung vor einer Karte an: wie ihre Zeilen gelesen werden, wie viele Einheiten es gibt, was jede Obergrenze weglässt.

Es gibt kein Epsilon aus, aber seine Zahlen haben kein Rauschen: sie schützen niemanden. Sie stehen nur im Protokoll dieses Laufs, außer Sie verlangen eine Datei.</translation>
  </message>
  <message>
    <source>I am the operator; I will not show these numbers</source>
    <translation>Ich verwalte diese Daten; ich zeige diese Zahlen niemandem</translation>
  </message>
  <message>
    <source>Nothing is read until this is ticked.</source>
    <translation>Nichts wird gelesen, bevor hier das Häkchen steht.</translation>
  </message>
  <message>
    <source>The layer with the records. A filter and a selection are honoured.</source>
    <translation>Der Layer mit den Meldungen. Filter und Auswahl werden beachtet.</translation>
  </message>
  <message>
    <source>The field that says who is protected.</source>
    <translation>Das Feld, das sagt, wer geschützt ist.</translation>
  </message>
  <message>
    <source>Area</source>
    <translation>Gebiet</translation>
  </message>
  <message>
    <source>The study area, to see which rows lie in it.</source>
    <translation>Das Gebiet, um zu sehen, welche Zeilen darin liegen.</translation>
  </message>
  <message>
    <source>Square cells</source>
    <translation>Quadratische Zellen</translation>
  </message>
  <message>
    <source>Square cells, like 1 km; with an area.</source>
    <translation>Quadratische Zellen, etwa 1 km; mit einem Gebiet.</translation>
  </message>
  <message>
    <source>Cap</source>
    <translation>Obergrenze</translation>
  </message>
  <message>
    <source>The cap to look at, where it is not the usual ones.</source>
    <translation>Die Obergrenze, die angesehen wird, wo es nicht die üblichen sind.</translation>
  </message>
  <message>
    <source>FIELD=VALUE: only these rows count, like consent=yes.</source>
    <translation>FIELD=VALUE: nur diese Zeilen zählen, etwa consent=yes.</translation>
  </message>
  <message>
    <source>Rule</source>
    <translation>Regel</translation>
  </message>
  <message>
    <source>A rule over a row's fields, like year &gt;= 2020.</source>
    <translation>Eine Regel über die Felder einer Zeile, etwa year &gt;= 2020.</translation>
  </message>
  <message>
    <source>Lines and areas count</source>
    <translation>Linien und Flächen zählen</translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them.</source>
    <translation>Linien und Flächen zählen, an einem Punkt auf ihnen.</translation>
  </message>
  <message>
    <source>Page with plots</source>
    <translation>Seite mit Diagrammen</translation>
  </message>
  <message>
    <source>Numbers</source>
    <translation>Zahlen</translation>
  </message>
  <message>
    <source>True numbers in a file: keep it as you keep the survey. Off unless you ask for it.</source>
    <translation>Wahre Zahlen in einer Datei: verwahren Sie sie wie die Erhebung. Aus, außer Sie verlangen es.</translation>
  </message>
  <message>
    <source>tick “I am the operator; I will not show these numbers” first: what follows has no noise</source>
    <translation>setzen Sie zuerst das Häkchen bei „Ich verwalte diese Daten; ich zeige diese Zahlen niemandem“: was folgt, hat kein Rauschen</translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which CRS its coordinates are in; set the layer's CRS</source>
    <translation>Layer der Erhebung: das KBS seiner Koordinaten ist nicht angegeben; setzen Sie das KBS des Layers</translation>
  </message>
  <message>
    <source>The file could not be written: choose another</source>
    <translation>Die Datei ließ sich nicht schreiben: wählen Sie eine andere</translation>
  </message>
</context>
<context>
  <name>algorithms/inspect_told.py</name>
  <message>
    <source>in the middle: {}</source>
    <translation>in der Mitte: {}</translation>
  </message>
  <message>
    <source>9 in 10 within {}</source>
    <translation>9 von 10 innerhalb von {}</translation>
  </message>
  <message>
    <source>said for {} of the rows that can be used</source>
    <translation>angegeben bei {} der brauchbaren Zeilen</translation>
  </message>
  <message>
    <source>{} less certain than the cells</source>
    <translation>{} ungenauer als die Zellen</translation>
  </message>
  <message>
    <source>{} less certain than 100 m</source>
    <translation>{} ungenauer als 100 m</translation>
  </message>
  <message>
    <source>{} less certain than 1 km</source>
    <translation>{} ungenauer als 1 km</translation>
  </message>
  <message>
    <source>{} less certain than 10 km</source>
    <translation>{} ungenauer als 10 km</translation>
  </message>
  <message>
    <source>HOW IT IS READ</source>
    <translation>WIE SIE GELESEN WIRD</translation>
  </message>
  <message>
    <source>WHAT IT HOLDS</source>
    <translation>WAS SIE ENTHÄLT</translation>
  </message>
  <message>
    <source>{} rows, of which {} can be used</source>
    <translation>{} Zeilen, davon {} brauchbar</translation>
  </message>
  <message>
    <source>left out, {}: {} ({})</source>
    <translation>weggelassen, {}: {} ({})</translation>
  </message>
  <message>
    <source>{} rows repeat a unit and a place</source>
    <translation>{} Zeilen wiederholen eine Einheit und einen Ort</translation>
  </message>
  <message>
    <source>WHO IS IN IT</source>
    <translation>WER DARIN IST</translation>
  </message>
  <message>
    <source>{} units</source>
    <translation>{} Einheiten</translation>
  </message>
  <message>
    <source>rows of a unit: {} in the middle, 9 in 10 have at most {}, 99 in 100 at most {}, one has {}</source>
    <translation>Zeilen je Einheit: {} in der Mitte, 9 von 10 haben höchstens {}, 99 von 100 höchstens {}, eine hat {}</translation>
  </message>
  <message>
    <source>with {} rows: {} units</source>
    <translation>mit {} Zeilen: {} Einheiten</translation>
  </message>
  <message>
    <source>WHAT A CAP TAKES AWAY</source>
    <translation>WAS EINE OBERGRENZE WEGNIMMT</translation>
  </message>
  <message>
    <source>a cap of {}: {}</source>
    <translation>eine Obergrenze von {}: {}</translation>
  </message>
  <message>
    <source>DATES in {}: {} rows filled in; can be read as {}</source>
    <translation>DATEN in {}: {} Zeilen ausgefüllt; lesbar als {}</translation>
  </message>
  <message>
    <source>none</source>
    <translation>keines</translation>
  </message>
  <message>
    <source>a limit of {}: {} units</source>
    <translation>eine Grenze von {}: {} Einheiten</translation>
  </message>
  <message>
    <source>MAY BE THE UNIT: {}</source>
    <translation>KANN DIE EINHEIT SEIN: {}</translation>
  </message>
  <message>
    <source>links to sites, {}: {}</source>
    <translation>Verbindungen zu Orten, {}: {}</translation>
  </message>
  <message>
    <source>ADVICE: {}</source>
    <translation>RAT: {}</translation>
  </message>
  <message>
    <source>HOW CERTAIN PLACES ARE</source>
    <translation>WIE GENAU ORTE SIND</translation>
  </message>
</context>
<context>
  <name>algorithms/layout.py</name>
  <message>
    <source>Print layout of a map</source>
    <translation>Drucklayout einer Karte</translation>
  </message>
  <message>
    <source>Makes an A4 sheet of a released map: the map, its legend, the promise in one sentence, a scale and who authorised it. In QGIS's window the layout also stands in the project, to be changed by hand. Choose a layer of a release, or its release.dpmap. It reads no survey and costs nothing.</source>
    <translation>Macht ein A4-Blatt einer Karte: die Karte, ihre Legende, das Versprechen in einem Satz, einen Maßstab und wer sie erlaubt hat. Im Fenster von QGIS steht das Layout auch im Projekt und lässt sich von Hand ändern. Wählen Sie einen Layer einer Karte oder ihr release.dpmap. Es liest keine Erhebung und kostet nichts.</translation>
  </message>
  <message>
    <source>Layer of a release</source>
    <translation>Layer einer Karte</translation>
  </message>
  <message>
    <source>A layer that dpmap drew; its classes become the legend of the sheet.</source>
    <translation>Ein Layer, den dpmap gezeichnet hat; seine Klassen werden die Legende des Blattes.</translation>
  </message>
  <message>
    <source>Or a release (release.dpmap)</source>
    <translation>Oder eine Karte (release.dpmap)</translation>
  </message>
  <message>
    <source>The release itself, where none of its layers is open.</source>
    <translation>Die Karte selbst, wo keiner ihrer Layer offen ist.</translation>
  </message>
  <message>
    <source>Sheet</source>
    <translation>Blatt</translation>
  </message>
  <message>
    <source>A4 landscape</source>
    <translation>A4 quer</translation>
  </message>
  <message>
    <source>A4 portrait</source>
    <translation>A4 hoch</translation>
  </message>
  <message>
    <source>Which way round the paper lies.</source>
    <translation>Wie herum das Papier liegt.</translation>
  </message>
  <message>
    <source>Name of the layout</source>
    <translation>Name des Layouts</translation>
  </message>
  <message>
    <source>How the project lists the layout; empty: the name of the data set.</source>
    <translation>Wie das Projekt das Layout nennt; leer: der Name des Datensatzes.</translation>
  </message>
  <message>
    <source>PDF</source>
    <translation>PDF</translation>
  </message>
  <message>
    <source>Picture</source>
    <translation>Bild</translation>
  </message>
  <message>
    <source>Where the sheet is written; leave it empty to have the layout in the project alone.</source>
    <translation>Wohin das Blatt geschrieben wird; leer: das Layout ist nur im Projekt.</translation>
  </message>
  <message>
    <source>No layer of a release is named: choose one, or its release.dpmap</source>
    <translation>Es ist kein Layer einer Karte genannt: wählen Sie einen, oder ihr release.dpmap</translation>
  </message>
  <message>
    <source>No layer could be made of this release: try 'Open a release'</source>
    <translation>Aus dieser Karte ließ sich kein Layer machen: versuchen Sie „Eine Karte öffnen“</translation>
  </message>
  <message>
    <source>The sheet could not be written: choose another file</source>
    <translation>Das Blatt ließ sich nicht schreiben: wählen Sie eine andere Datei</translation>
  </message>
</context>
<context>
  <name>algorithms/ledger.py</name>
  <message>
    <source>number</source>
    <translation>Nummer</translation>
  </message>
  <message>
    <source>time</source>
    <translation>Zeit</translation>
  </message>
  <message>
    <source>dataset</source>
    <translation>Datensatz</translation>
  </message>
  <message>
    <source>kind</source>
    <translation>Art</translation>
  </message>
  <message>
    <source>epsilon</source>
    <translation>Epsilon</translation>
  </message>
  <message>
    <source>unit</source>
    <translation>Einheit</translation>
  </message>
  <message>
    <source>then</source>
    <translation>danach</translation>
  </message>
  <message>
    <source>remaining</source>
    <translation>verbleibend</translation>
  </message>
  <message>
    <source>Read the ledger</source>
    <translation>Das Kontobuch lesen</translation>
  </message>
  <message>
    <source>Verifies a ledger and says what was spent, on which data set and unit, and what remains.

It costs nothing and changes nothing.</source>
    <translation>Prüft ein Kontobuch und sagt, was ausgegeben wurde, für welchen Datensatz und welche Einheit, und was bleibt.

Es kostet nichts und ändert nichts.</translation>
  </message>
  <message>
    <source>Ledger</source>
    <translation>Kontobuch</translation>
  </message>
  <message>
    <source>The ledger's file, as the releases name it.</source>
    <translation>Die Datei des Kontobuchs, wie die Karten sie nennen.</translation>
  </message>
  <message>
    <source>Data set</source>
    <translation>Datensatz</translation>
  </message>
  <message>
    <source>Only this data set's events; empty: all of them.</source>
    <translation>Nur die Einträge dieses Datensatzes; leer: alle.</translation>
  </message>
  <message>
    <source>Against this release</source>
    <translation>Gegen diese Karte</translation>
  </message>
  <message>
    <source>A release that this ledger must contain: shows that the ledger was not cut or put back.</source>
    <translation>Eine Karte, die dieses Kontobuch enthalten muss: zeigt, dass es nicht gekürzt oder zurückgesetzt wurde.</translation>
  </message>
  <message>
    <source>Events</source>
    <translation>Einträge</translation>
  </message>
  <message>
    <source>A table with an event a row and what remained after it.</source>
    <translation>Eine Tabelle mit einem Eintrag je Zeile und was danach blieb.</translation>
  </message>
  <message>
    <source>Events as a page</source>
    <translation>Einträge als Seite</translation>
  </message>
  <message>
    <source>The same as a page to read.</source>
    <translation>Dasselbe als Seite zum Lesen.</translation>
  </message>
  <message>
    <source>Budget</source>
    <translation>Budget</translation>
  </message>
  <message>
    <source>Spent on the data set</source>
    <translation>Für den Datensatz ausgegeben</translation>
  </message>
  <message>
    <source>What each unit has cost</source>
    <translation>Was jede Einheit gekostet hat</translation>
  </message>
  <message>
    <source>Spent without a release</source>
    <translation>Ohne Karte ausgegeben</translation>
  </message>
  <message>
    <source>Data set: the ledger has none of this name; leave it empty to see all</source>
    <translation>Datensatz: das Kontobuch hat keinen dieses Namens; leer lassen, um alle zu sehen</translation>
  </message>
  <message>
    <source>{} of {} remains.</source>
    <translation>{} von {} bleibt.</translation>
  </message>
</context>
<context>
  <name>algorithms/open.py</name>
  <message>
    <source>Open a release</source>
    <translation>Eine Karte öffnen</translation>
  </message>
  <message>
    <source>Reads a release.dpmap, your own or a stranger's, and shows its places and cells with their style, statement and promise.

It costs nothing and changes nothing in the release. The layers are made of release.dpmap itself: those that lie beside a stranger's release may hold other numbers, and a style that runs a stranger's code.</source>
    <translation>Liest ein release.dpmap, Ihr eigenes oder ein fremdes, und zeigt seine Flächen und Zellen mit Stil, Erklärung und Versprechen.

Es kostet nichts und ändert nichts an der Karte. Die Layer werden aus release.dpmap selbst gemacht: die neben einer fremden Karte liegen, können andere Zahlen enthalten und einen Stil, der fremden Code ausführt.</translation>
  </message>
  <message>
    <source>New folder for its layers</source>
    <translation>Neuer Ordner für ihre Layer</translation>
  </message>
  <message>
    <source>Where the layers are written. Name a folder beside your project to keep them: QGIS clears its temporary folder when it ends.</source>
    <translation>Wohin die Layer geschrieben werden. Nennen Sie einen Ordner neben Ihrem Projekt, um sie zu behalten: QGIS leert seinen temporären Ordner, wenn es endet.</translation>
  </message>
  <message>
    <source>Places</source>
    <translation>Flächen</translation>
  </message>
  <message>
    <source>Promise</source>
    <translation>Versprechen</translation>
  </message>
</context>
<context>
  <name>algorithms/plan.py</name>
  <message>
    <source>Square cells, like 1 km or 0.1 deg. Leave it and the grid empty to have a size recommended.</source>
    <translation>Quadratische Zellen, etwa 1 km oder 0.1 deg. Lassen Sie dies und das Gitter leer, um eine Größe empfohlen zu bekommen.</translation>
  </message>
  <message>
    <source>or an official grid</source>
    <translation>oder ein amtliches Gitter</translation>
  </message>
  <message>
    <source>The cells of an official grid, by its name: eea-10km, os-hectad, qdgc.</source>
    <translation>Die Zellen eines amtlichen Gitters, nach seinem Namen: eea-10km, os-hectad, qdgc.</translation>
  </message>
  <message>
    <source>or a country as area</source>
    <translation>oder ein Land als Gebiet</translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya.</source>
    <translation>Der englische Name eines Landes statt eines Gebietslayers, etwa Kenya.</translation>
  </message>
  <message>
    <source>Who is protected, in a word for the plan: observer, nest, household.</source>
    <translation>Wer geschützt ist, in einem Wort für den Plan: Beobachterin, Nest, Haushalt.</translation>
  </message>
  <message>
    <source>Most points one unit adds to the whole map, like 5.</source>
    <translation>So viele Punkte zählt eine Einheit in der ganzen Karte höchstens, etwa 5.</translation>
  </message>
  <message>
    <source>Epsilon</source>
    <translation>Epsilon</translation>
  </message>
  <message>
    <source>How far a map may move the odds about one unit, like 0.5; or leave it out and say which error can be borne.</source>
    <translation>Wie weit eine Karte die Chancen über eine Einheit verschieben darf, etwa 0.5; oder lassen Sie es weg und sagen Sie, welcher Fehler tragbar ist.</translation>
  </message>
  <message>
    <source>Units expected</source>
    <translation>Erwartete Einheiten</translation>
  </message>
  <message>
    <source>How many units will take part: a guess from what is public, never a count of the survey.</source>
    <translation>Wie viele Einheiten teilnehmen werden: geschätzt aus Öffentlichem, nie in der Erhebung gezählt.</translation>
  </message>
  <message>
    <source>Most epsilon ever, to say how many such maps it pays for.</source>
    <translation>So viel Epsilon darf es je kosten; sagt, für wie viele solche Karten es reicht.</translation>
  </message>
  <message>
    <source>Points of each</source>
    <translation>Punkte von jeder</translation>
  </message>
  <message>
    <source>How many points each unit is expected to add, capped.</source>
    <translation>Wie viele Punkte jede Einheit voraussichtlich beiträgt, begrenzt.</translation>
  </message>
  <message>
    <source>Spent already</source>
    <translation>Schon ausgegeben</translation>
  </message>
  <message>
    <source>How much of the budget is spent already.</source>
    <translation>Wie viel des Budgets schon ausgegeben ist.</translation>
  </message>
  <message>
    <source>Error allowed</source>
    <translation>Erlaubter Fehler</translation>
  </message>
  <message>
    <source>The standard error allowed in a cell measured by itself, like 5: finds epsilon.</source>
    <translation>Der erlaubte Standardfehler in einer für sich gemessenen Zelle, etwa 5: findet Epsilon.</translation>
  </message>
  <message>
    <source>Large errors allowed</source>
    <translation>Erlaubte große Fehler</translation>
  </message>
  <message>
    <source>The largest chance of a large error, like 20:1%: finds epsilon.</source>
    <translation>Die größte Chance eines großen Fehlers, etwa 20:1%: findet Epsilon.</translation>
  </message>
  <message>
    <source>Points to be told from none</source>
    <translation>Punkte, die von null zu unterscheiden sind</translation>
  </message>
  <message>
    <source>How many points a cell must hold to be told from none, like 20: finds epsilon.</source>
    <translation>Wie viele Punkte eine Zelle enthalten muss, um von null unterschieden zu werden, etwa 20: findet Epsilon.</translation>
  </message>
  <message>
    <source>Zones' intervals</source>
    <translation>Intervalle der Zonen</translation>
  </message>
  <message>
    <source>How far each zone's 90 % interval may reach, like 30% of what is expected in it: finds epsilon.</source>
    <translation>Wie weit das 90-%-Intervall jeder Zone reichen darf, etwa 30% des darin Erwarteten: findet Epsilon.</translation>
  </message>
  <message>
    <source>Delta</source>
    <translation>Delta</translation>
  </message>
  <message>
    <source>The chance that epsilon need not hold, like 1e-6: Gaussian noise.</source>
    <translation>Die Chance, dass Epsilon nicht gelten muss, etwa 1e-6: Gaußsches Rauschen.</translation>
  </message>
  <message>
    <source>Name in the area</source>
    <translation>Name im Gebiet</translation>
  </message>
  <message>
    <source>Only the polygons of the area of which a text holds this name.</source>
    <translation>Nur die Polygone des Gebiets, bei denen ein Text diesen Namen enthält.</translation>
  </message>
  <message>
    <source>CRS of the cells</source>
    <translation>KBS der Zellen</translation>
  </message>
  <message>
    <source>A national grid for the cells, like EPSG:27700.</source>
    <translation>Ein nationales Gitter für die Zellen, etwa EPSG:27700.</translation>
  </message>
  <message>
    <source>Hexagons</source>
    <translation>Sechsecke</translation>
  </message>
  <message>
    <source>H3 hexagons of this resolution, 0 to 15, instead of squares.</source>
    <translation>H3-Sechsecke dieser Auflösung, 0 bis 15, statt Quadraten.</translation>
  </message>
  <message>
    <source>Plan</source>
    <translation>Planen</translation>
  </message>
  <message>
    <source>Says what a map would tell before anything is spent: how many places, how large, with which errors.

It costs nothing and reads no survey, only public numbers that you give. Keep the page for a board that has to decide.</source>
    <translation>Sagt, was eine Karte zeigen würde, bevor etwas ausgegeben wird: wie viele Flächen, wie groß, mit welchen Fehlern.

Es kostet nichts und liest keine Erhebung, nur öffentliche Zahlen, die Sie angeben. Heben Sie die Seite für das Gremium auf, das entscheiden muss.</translation>
  </message>
  <message>
    <source>Epsilon of the plan</source>
    <translation>Epsilon des Plans</translation>
  </message>
  <message>
    <source>Side of a cell</source>
    <translation>Seite einer Zelle</translation>
  </message>
  <message>
    <source>How many cells</source>
    <translation>Wie viele Zellen</translation>
  </message>
  <message>
    <source>How far a cell's 90 % interval reaches</source>
    <translation>Wie weit das 90-%-Intervall einer Zelle reicht</translation>
  </message>
  <message>
    <source>Points that are told from none</source>
    <translation>Punkte, die sich von null unterscheiden</translation>
  </message>
  <message>
    <source>Advice</source>
    <translation>Rat</translation>
  </message>
  <message>
    <source>What the budget holds after it</source>
    <translation>Was danach im Budget bleibt</translation>
  </message>
  <message>
    <source>Plan as JSON</source>
    <translation>Plan als JSON</translation>
  </message>
  <message>
    <source>The study area: a public polygon layer, never drawn around the survey.</source>
    <translation>Das Gebiet: ein öffentlicher Polygonlayer, nie um die Erhebung gezogen.</translation>
  </message>
  <message>
    <source>Project areas, for how far their intervals may reach.</source>
    <translation>Projektgebiete, dafür, wie weit ihre Intervalle reichen dürfen.</translation>
  </message>
  <message>
    <source>Readers' maps</source>
    <translation>Karten der Leser</translation>
  </message>
  <message>
    <source>A map for each reader, one a line, like public=0.2; leave epsilon out.</source>
    <translation>Eine Karte je Leserkreis, eine je Zeile, etwa public=0.2; lassen Sie Epsilon weg.</translation>
  </message>
  <message>
    <source>Limiter</source>
    <translation>Begrenzung</translation>
  </message>
  <message>
    <source>How the cap is kept: scale, sample or presence.</source>
    <translation>Wie die Obergrenze eingehalten wird: scale, sample oder presence.</translation>
  </message>
  <message>
    <source>One cell for each polygon of the area</source>
    <translation>Eine Zelle für jedes Polygon des Gebiets</translation>
  </message>
  <message>
    <source>The polygons of the area are the cells.</source>
    <translation>Die Polygone des Gebiets sind die Zellen.</translation>
  </message>
  <message>
    <source>Plan as a page</source>
    <translation>Plan als Seite</translation>
  </message>
  <message>
    <source>A page for whoever decides.</source>
    <translation>Eine Seite für die, die entscheiden.</translation>
  </message>
  <message>
    <source>Area: choose a polygon layer, or write a country: one of the two</source>
    <translation>Gebiet: wählen Sie einen Polygonlayer oder schreiben Sie ein Land: eines von beiden</translation>
  </message>
  <message>
    <source>Cap: write the most points one unit adds, like 5</source>
    <translation>Obergrenze: schreiben Sie, wie viele Punkte eine Einheit höchstens zählt, etwa 5</translation>
  </message>
  <message>
    <source>Epsilon: write it, like 0.5, or say which error can be borne</source>
    <translation>Epsilon: schreiben Sie es, etwa 0.5, oder sagen Sie, welcher Fehler tragbar ist</translation>
  </message>
</context>
<context>
  <name>algorithms/verify.py</name>
  <message>
    <source>holds</source>
    <translation>gilt</translation>
  </message>
  <message>
    <source>does not hold</source>
    <translation>gilt nicht</translation>
  </message>
  <message>
    <source>cannot be tried here</source>
    <translation>lässt sich hier nicht prüfen</translation>
  </message>
  <message>
    <source>Verify dpmap</source>
    <translation>dpmap prüfen</translation>
  </message>
  <message>
    <source>Says where dpmap was found and which version it is, and tries its promise on this machine: the noise, the cap, the ledger, the files.

It reads no survey, spends nothing and changes nothing. Where something does not hold, make no map with this dpmap.</source>
    <translation>Sagt, wo dpmap gefunden wurde und welche Version es ist, und prüft sein Versprechen auf diesem Rechner: das Rauschen, die Obergrenze, das Kontobuch, die Dateien.

Es liest keine Erhebung, gibt nichts aus und ändert nichts. Wo etwas nicht gilt, machen Sie keine Karte mit diesem dpmap.</translation>
  </message>
  <message>
    <source>Every check there is</source>
    <translation>Alle Prüfungen, die es gibt</translation>
  </message>
  <message>
    <source>Tries all checks, which takes some minutes. Without it a part is tried, in seconds.</source>
    <translation>Macht alle Prüfungen; das dauert einige Minuten. Sonst wird ein Teil geprüft, in Sekunden.</translation>
  </message>
  <message>
    <source>All that was tried holds</source>
    <translation>Alles, was geprüft wurde, gilt</translation>
  </message>
  <message>
    <source>Version of dpmap</source>
    <translation>Version von dpmap</translation>
  </message>
  <message>
    <source>Oldest version that can be used</source>
    <translation>Älteste brauchbare Version</translation>
  </message>
  <message>
    <source>Where it was found</source>
    <translation>Wo es gefunden wurde</translation>
  </message>
  <message>
    <source>In one sentence</source>
    <translation>In einem Satz</translation>
  </message>
  <message>
    <source>Checks as JSON</source>
    <translation>Prüfungen als JSON</translation>
  </message>
  <message>
    <source>looking for dpmap, and trying it</source>
    <translation>dpmap wird gesucht und geprüft</translation>
  </message>
  <message>
    <source>dpmap {} (the oldest that can be used is {}), found at {}: {}</source>
    <translation>dpmap {} (die älteste brauchbare Version ist {}), gefunden hier ({}): {}</translation>
  </message>
</context>
<context>
  <name>algorithms/zones.py</name>
  <message>
    <source>Ask for zones</source>
    <translation>Zonen abfragen</translation>
  </message>
  <message>
    <source>Says how many a released map holds in each of your project areas, each with the interval that holds the truth.

It costs nothing: whatever is asked of a release, as often as you like, spends no epsilon.</source>
    <translation>Sagt, wie viel eine Karte in jedem Ihrer Projektgebiete enthält, jeweils mit dem Intervall, das die Wahrheit enthält.

Es kostet nichts: was auch immer eine Karte gefragt wird, so oft Sie mögen, gibt kein Epsilon aus.</translation>
  </message>
  <message>
    <source>The polygons that are asked for: project areas, districts, parks. A filter and a selection are honoured.</source>
    <translation>Die Polygone, nach denen gefragt wird: Projektgebiete, Bezirke, Parks. Filter und Auswahl werden beachtet.</translation>
  </message>
  <message>
    <source>Answers</source>
    <translation>Antworten</translation>
  </message>
  <message>
    <source>A layer of the zones with their totals, intervals and notes.</source>
    <translation>Ein Layer der Zonen mit Summen, Intervallen und Anmerkungen.</translation>
  </message>
  <message>
    <source>Answers as JSON</source>
    <translation>Antworten als JSON</translation>
  </message>
  <message>
    <source>Zones: choose a polygon layer</source>
    <translation>Zonen: wählen Sie einen Polygonlayer</translation>
  </message>
</context>
<context>
  <name>command/held.py</name>
  <message>
    <source>another process holds this folder</source>
    <translation>ein anderer Vorgang hält diesen Ordner</translation>
  </message>
</context>
<context>
  <name>command/own.py</name>
  <message>
    <source>Stopped: no environment was made, and the earlier one is as it was</source>
    <translation>Angehalten: es wurde keine Umgebung gemacht, und die frühere ist, wie sie war</translation>
  </message>
  <message>
    <source>This names no wheel of dpmap: write the path of a file, or an address that begins with https, that ends in private_heatmaps-VERSION-py3-none-any.whl</source>
    <translation>Das nennt kein Wheel von dpmap: schreiben Sie den Pfad einer Datei oder eine Adresse, die mit https beginnt, am Ende private_heatmaps-VERSION-py3-none-any.whl</translation>
  </message>
  <message>
    <source>Python could not make an environment: install its package for that (on Debian and Ubuntu: python3-venv)</source>
    <translation>Python konnte keine Umgebung machen: installieren Sie das Paket dafür (in Debian und Ubuntu: python3-venv)</translation>
  </message>
  <message>
    <source>The environment cannot be written: free some room on the disk of QGIS's profile (some 1.5 GB while it is made)</source>
    <translation>Die Umgebung lässt sich nicht schreiben: schaffen Sie Platz auf dem Datenträger mit dem Profil von QGIS (etwa 1,5 GB, während sie entsteht)</translation>
  </message>
</context>
<context>
  <name>command/private.py</name>
  <message>
    <source>no private folder can be made: free some room in the folder for temporary files</source>
    <translation>es lässt sich kein privater Ordner anlegen: schaffen Sie Platz im Ordner für temporäre Dateien</translation>
  </message>
</context>
<context>
  <name>command/wheels.py</name>
  <message>
    <source>This is no zip that can be read: choose the one that `make wheelhouse` made</source>
    <translation>Diese Zip-Datei ist nicht lesbar: wählen Sie die, die `make wheelhouse` gemacht hat</translation>
  </message>
  <message>
    <source>This zip holds more than it says: get it again</source>
    <translation>Diese Zip-Datei enthält mehr, als sie angibt: holen Sie sie neu</translation>
  </message>
  <message>
    <source>This zip is damaged: get it again</source>
    <translation>Diese Zip-Datei ist beschädigt: holen Sie sie neu</translation>
  </message>
  <message>
    <source>This zip holds two files of one name: get it again</source>
    <translation>Diese Zip-Datei enthält zwei Dateien gleichen Namens: holen Sie sie neu</translation>
  </message>
  <message>
    <source>The wheels cannot be unpacked: free some room on the disk of QGIS's profile</source>
    <translation>Die Wheels lassen sich nicht entpacken: schaffen Sie Platz auf dem Datenträger des Profils von QGIS</translation>
  </message>
  <message>
    <source>This is not a zip of wheels for dpmap: choose the one that `make wheelhouse` made</source>
    <translation>Das ist keine Zip-Datei mit Wheels für dpmap: wählen Sie die, die `make wheelhouse` gemacht hat</translation>
  </message>
  <message>
    <source>This zip is too large to be dpmap's: choose the one that `make wheelhouse` made</source>
    <translation>Diese Zip-Datei ist zu groß für dpmap: wählen Sie die, die `make wheelhouse` gemacht hat</translation>
  </message>
  <message>
    <source>This zip holds no dpmap, or more than one: choose the one that `make wheelhouse` made</source>
    <translation>Diese Zip-Datei enthält kein dpmap oder mehr als eines: wählen Sie die, die `make wheelhouse` gemacht hat</translation>
  </message>
  <message>
    <source>This zip holds something that is no wheel: choose the one that `make wheelhouse` made</source>
    <translation>Diese Zip-Datei enthält etwas, das kein Wheel ist: wählen Sie die, die `make wheelhouse` gemacht hat</translation>
  </message>
</context>
<context>
  <name>options/page.py</name>
  <message>
    <source>Wiping what is no longer used</source>
    <translation>Räumt weg, was nicht mehr gebraucht wird</translation>
  </message>
  <message>
    <source>The dpmap that is used</source>
    <translation>Das benutzte dpmap</translation>
  </message>
  <message>
    <source>QGIS asks a program called dpmap for every private map. Leave this empty to let it be found.</source>
    <translation>QGIS fragt für jede private Karte ein Programm namens dpmap. Lassen Sie dies leer, damit es gesucht wird.</translation>
  </message>
  <message>
    <source>Choose the program dpmap</source>
    <translation>Das Programm dpmap wählen</translation>
  </message>
  <message>
    <source>the program, or the folder of a Python environment</source>
    <translation>das Programm, oder der Ordner einer Python-Umgebung</translation>
  </message>
  <message>
    <source>The path of the program dpmap, or of the folder of a Python environment in which it is</source>
    <translation>Der Pfad des Programms dpmap oder des Ordners einer Python-Umgebung, in der es ist</translation>
  </message>
  <message>
    <source>No dpmap on this machine?</source>
    <translation>Kein dpmap auf diesem Rechner?</translation>
  </message>
  <message>
    <source>It is made here from a zip of wheels, without a network and apart from QGIS's own Python. Whoever builds dpmap makes this zip with make wheelhouse.</source>
    <translation>Es wird hier aus einer Zip-Datei mit Wheels gemacht, ohne Netz und getrennt vom Python von QGIS. Wer dpmap baut, macht diese Zip-Datei mit make wheelhouse.</translation>
  </message>
  <message>
    <source>Make it from a zip of wheels...</source>
    <translation>Aus einer Zip-Datei mit Wheels machen...</translation>
  </message>
  <message>
    <source>Download what it needs...</source>
    <translation>Herunterladen, was es braucht...</translation>
  </message>
  <message>
    <source>Does it keep its promise?</source>
    <translation>Hält es, was es verspricht?</translation>
  </message>
  <message>
    <source>The selftest checks noise, cap and ledger on this machine. It reads no survey and spends nothing.</source>
    <translation>Der Selbsttest prüft Rauschen, Obergrenze und Kontobuch auf diesem Rechner. Er liest keine Erhebung und gibt nichts aus.</translation>
  </message>
  <message>
    <source>Verify quickly</source>
    <translation>Schnell prüfen</translation>
  </message>
  <message>
    <source>Verify all of it (some minutes)</source>
    <translation>Alles prüfen (einige Minuten)</translation>
  </message>
  <message>
    <source>Stop</source>
    <translation>Anhalten</translation>
  </message>
  <message>
    <source>Looking...</source>
    <translation>Suche...</translation>
  </message>
  <message>
    <source>Looking for dpmap</source>
    <translation>Sucht dpmap</translation>
  </message>
  <message>
    <source>Choose the zip of wheels</source>
    <translation>Die Zip-Datei mit Wheels wählen</translation>
  </message>
  <message>
    <source>Zip of wheels (*.zip)</source>
    <translation>Zip-Datei mit Wheels (*.zip)</translation>
  </message>
  <message>
    <source>This zip holds dpmap {version}, {number} wheels. They are programs that will run on this machine: go on only if you trust who gave it to you.</source>
    <translation>Diese Zip-Datei enthält dpmap {version}, {number} Wheels. Das sind Programme, die auf diesem Rechner laufen werden: fahren Sie nur fort, wenn Sie dem trauen, von dem sie kommt.</translation>
  </message>
  <message>
    <source>Making dpmap</source>
    <translation>dpmap wird gemacht</translation>
  </message>
  <message>
    <source>Where is dpmap's wheel? Write the path of the file private_heatmaps-VERSION-py3-none-any.whl that you were given, or its address (https://...)</source>
    <translation>Wo ist das Wheel von dpmap? Schreiben Sie den Pfad der Datei private_heatmaps-VERSION-py3-none-any.whl, die Sie bekommen haben, oder ihre Adresse (https://...)</translation>
  </message>
  <message>
    <source>dpmap is taken from there, and the libraries that it needs, some 300 MB, from the index that pip is set to on this machine. They are programs that will run on it, apart from QGIS: go on only if you trust who gave you the wheel. Nothing of yours is sent. Where a company has its own index or proxy, pip's settings say so. Go on?</source>
    <translation>dpmap wird von dort genommen, und die Bibliotheken, die es braucht, etwa 300 MB, von dem Index, auf den pip auf diesem Rechner eingestellt ist. Das sind Programme, die auf ihm laufen werden, getrennt von QGIS: fahren Sie nur fort, wenn Sie dem trauen, der Ihnen das Wheel gab. Nichts von Ihnen wird gesendet. Hat eine Firma ihren eigenen Index oder Proxy, sagen es die Einstellungen von pip. Fortfahren?</translation>
  </message>
  <message>
    <source>Downloading what dpmap needs</source>
    <translation>Lädt herunter, was dpmap braucht</translation>
  </message>
  <message>
    <source>Verifying dpmap</source>
    <translation>dpmap wird geprüft</translation>
  </message>
  <message>
    <source>dpmap is made. Verify it now.</source>
    <translation>dpmap ist gemacht. Prüfen Sie es jetzt.</translation>
  </message>
  <message>
    <source>Stopped</source>
    <translation>Angehalten</translation>
  </message>
  <message>
    <source>Found through {where}: dpmap {version}, {minimum} or newer is needed.</source>
    <translation>Gefunden über {where}: dpmap {version}, nötig ist {minimum} oder neuer.</translation>
  </message>
  <message>
    <source>dpmap {version}, {minimum} or newer is needed</source>
    <translation>dpmap {version}, nötig ist {minimum} oder neuer</translation>
  </message>
</context>
<context>
  <name>options/work.py</name>
  <message>
    <source>This failed ({kind}): please report it</source>
    <translation>Das ist fehlgeschlagen ({kind}): bitte melden Sie es</translation>
  </message>
</context>
<context>
  <name>panel/asking.py</name>
  <message>
    <source>dpmap: {}</source>
    <translation>dpmap: {}</translation>
  </message>
  <message>
    <source>dpmap could not be started; verify it in the settings</source>
    <translation>dpmap ließ sich nicht starten; prüfen Sie es in den Einstellungen</translation>
  </message>
  <message>
    <source>stopped; ask again to have an answer</source>
    <translation>angehalten; fragen Sie noch einmal, um eine Antwort zu haben</translation>
  </message>
</context>
<context>
  <name>panel/dock.py</name>
  <message>
    <source>dpmap: private maps</source>
    <translation>dpmap: private Karten</translation>
  </message>
  <message>
    <source>reading a release</source>
    <translation>eine Karte wird gelesen</translation>
  </message>
  <message>
    <source>dpmap gave no answer that can be read</source>
    <translation>dpmap gab keine lesbare Antwort</translation>
  </message>
</context>
<context>
  <name>panel/doing.py</name>
  <message>
    <source>QGIS has Processing switched off: switch it on in Plugins, Manage and Install Plugins.</source>
    <translation>In QGIS ist Processing ausgeschaltet: schalten Sie es unter Erweiterungen, Erweiterungen verwalten und installieren ein.</translation>
  </message>
  <message>
    <source>Make and export</source>
    <translation>Machen und exportieren</translation>
  </message>
  <message>
    <source>Private heatmap...</source>
    <translation>Private Heatmap...</translation>
  </message>
  <message>
    <source>Makes a private map of a layer of points</source>
    <translation>Macht eine private Karte aus einem Punktlayer</translation>
  </message>
  <message>
    <source>All algorithms</source>
    <translation>Alle Algorithmen</translation>
  </message>
</context>
<context>
  <name>panel/hung.py</name>
  <message>
    <source>Panel of private maps</source>
    <translation>Bedienfeld der privaten Karten</translation>
  </message>
  <message>
    <source>Ask a place of a private map</source>
    <translation>Eine Fläche einer privaten Karte abfragen</translation>
  </message>
  <message>
    <source>Draw a zone on a private map</source>
    <translation>Eine Zone auf einer privaten Karte zeichnen</translation>
  </message>
</context>
<context>
  <name>panel/kept.py</name>
  <message>
    <source>zones asked</source>
    <translation>abgefragte Zonen</translation>
  </message>
</context>
<context>
  <name>panel/ledger_section.py</name>
  <message>
    <source>What remains</source>
    <translation>Was bleibt</translation>
  </message>
  <message>
    <source>found beside the release</source>
    <translation>neben der Karte gefunden</translation>
  </message>
  <message>
    <source>Ledger:</source>
    <translation>Kontobuch:</translation>
  </message>
  <message>
    <source>Part of the budget that is spent</source>
    <translation>Ausgegebener Teil des Budgets</translation>
  </message>
  <message>
    <source>What was spent</source>
    <translation>Was ausgegeben wurde</translation>
  </message>
  <message>
    <source>Where the ledger is</source>
    <translation>Wo das Kontobuch ist</translation>
  </message>
  <message>
    <source>Refresh</source>
    <translation>Neu lesen</translation>
  </message>
  <message>
    <source>Reads the ledger anew</source>
    <translation>Liest das Kontobuch neu</translation>
  </message>
  <message>
    <source>Choose...</source>
    <translation>Wählen...</translation>
  </message>
  <message>
    <source>Chooses the ledger's file</source>
    <translation>Wählt die Datei des Kontobuchs</translation>
  </message>
  <message>
    <source>No ledger is chosen, and none stands beside the release. Choose its file to see what remains.</source>
    <translation>Es ist kein Kontobuch gewählt, und neben der Karte liegt keines. Wählen Sie seine Datei, um zu sehen, was bleibt.</translation>
  </message>
  <message>
    <source>The ledger of this project.</source>
    <translation>Das Kontobuch dieses Projekts.</translation>
  </message>
  <message>
    <source>No ledger that was asked beside the release paid for it. Choose its file to see what remains.</source>
    <translation>Keines der Kontobücher neben der Karte hat sie bezahlt. Wählen Sie die Datei des richtigen, um zu sehen, was bleibt.</translation>
  </message>
  <message>
    <source>Found beside the release, which it paid for: {}</source>
    <translation>Neben der Karte gefunden, die daraus bezahlt wurde: {}</translation>
  </message>
  <message>
    <source>Reading the ledger...</source>
    <translation>Das Kontobuch wird gelesen...</translation>
  </message>
  <message>
    <source>reading a ledger</source>
    <translation>ein Kontobuch wird gelesen</translation>
  </message>
  <message>
    <source>The ledger</source>
    <translation>Das Kontobuch</translation>
  </message>
  <message>
    <source>Ledgers (*.ledger);;All files (*)</source>
    <translation>Kontobücher (*.ledger);;Alle Dateien (*)</translation>
  </message>
</context>
<context>
  <name>panel/missing.py</name>
  <message>
    <source>dpmap cannot be used</source>
    <translation>dpmap ist nicht brauchbar</translation>
  </message>
  <message>
    <source>Settings</source>
    <translation>Einstellungen</translation>
  </message>
  <message>
    <source>Opens where dpmap's program is chosen and verified</source>
    <translation>Öffnet die Seite, auf der das Programm dpmap gewählt und geprüft wird</translation>
  </message>
  <message>
    <source>Look again</source>
    <translation>Noch einmal suchen</translation>
  </message>
  <message>
    <source>Looks for dpmap anew</source>
    <translation>Sucht dpmap neu</translation>
  </message>
</context>
<context>
  <name>panel/place.py</name>
  <message>
    <source>Place {}</source>
    <translation>Fläche {}</translation>
  </message>
  <message>
    <source>Cell {}</source>
    <translation>Zelle {}</translation>
  </message>
  <message>
    <source>How it lies within this place is not known.</source>
    <translation>Wie es sich innerhalb dieser Fläche verteilt, ist nicht bekannt.</translation>
  </message>
  <message>
    <source>Its total is not distinguishable from none; this does not mean that nothing is there.</source>
    <translation>Ihre Summe ist nicht von null zu unterscheiden; das heißt nicht, dass dort nichts ist.</translation>
  </message>
  <message>
    <source>Code: {}</source>
    <translation>Code: {}</translation>
  </message>
  <message>
    <source>On the map it has the colour of place {}: {}</source>
    <translation>Auf der Karte hat sie die Farbe von Fläche {}: {}</translation>
  </message>
  <message>
    <source>On the map: {}</source>
    <translation>Auf der Karte: {}</translation>
  </message>
  <message>
    <source>capped: the release's statement says for how much each unit counts at most</source>
    <translation>begrenzt: die Erklärung der Karte sagt, wie viel jede Einheit höchstens zählt</translation>
  </message>
  <message>
    <source>points</source>
    <translation>Punkte</translation>
  </message>
  <message>
    <source>90 % interval: {}</source>
    <translation>90-%-Intervall: {}</translation>
  </message>
  <message>
    <source>cannot be told</source>
    <translation>nicht zu sagen</translation>
  </message>
  <message>
    <source>not distinguishable from none</source>
    <translation>nicht von null zu unterscheiden</translation>
  </message>
  <message>
    <source>at most {} {}</source>
    <translation>höchstens {} {}</translation>
  </message>
  <message>
    <source>mean</source>
    <translation>Mittelwert</translation>
  </message>
  <message>
    <source>told of {} {}</source>
    <translation>aus {} {}</translation>
  </message>
  <message>
    <source>cannot be told: too little was counted here to tell a mean</source>
    <translation>nicht zu sagen: hier wurde für einen Mittelwert zu wenig gezählt</translation>
  </message>
  <message>
    <source>cell</source>
    <translation>Zelle</translation>
  </message>
  <message>
    <source>cells</source>
    <translation>Zellen</translation>
  </message>
</context>
<context>
  <name>panel/place_section.py</name>
  <message>
    <source>Click on a place of the map. By keyboard: move the map with the arrow keys, then ask its middle.</source>
    <translation>Klicken Sie auf eine Fläche der Karte. Mit der Tastatur: schieben Sie die Karte mit den Pfeiltasten und fragen Sie dann ihre Mitte ab.</translation>
  </message>
  <message>
    <source>Add the layers of a release to the map, like those of cells.gpkg.</source>
    <translation>Fügen Sie die Layer einer Karte hinzu, etwa die aus cells.gpkg.</translation>
  </message>
  <message>
    <source>A place is asked of the layers patches or cells in cells.gpkg: tick one of them. A picture alone cannot be asked; zones can.</source>
    <translation>Eine Fläche wird bei den Layern patches oder cells aus cells.gpkg abgefragt: blenden Sie einen davon ein. Ein Bild allein lässt sich nicht abfragen; Zonen schon.</translation>
  </message>
  <message>
    <source>What a place holds</source>
    <translation>Was eine Fläche enthält</translation>
  </message>
  <message>
    <source>Ask a place</source>
    <translation>Fläche abfragen</translation>
  </message>
  <message>
    <source>Then click on the map</source>
    <translation>Dann auf die Karte klicken</translation>
  </message>
  <message>
    <source>Ask the middle</source>
    <translation>Mitte abfragen</translation>
  </message>
  <message>
    <source>Asks without a mouse</source>
    <translation>Fragt ohne Maus ab</translation>
  </message>
  <message>
    <source>Place</source>
    <translation>Fläche</translation>
  </message>
  <message>
    <source>What the place holds</source>
    <translation>Was die Fläche enthält</translation>
  </message>
  <message>
    <source>No layer that can be asked is shown.</source>
    <translation>Es ist kein Layer zu sehen, der sich abfragen lässt.</translation>
  </message>
  <message>
    <source>Outside the map</source>
    <translation>Außerhalb der Karte</translation>
  </message>
  <message>
    <source>The release tells nothing of this place; this does not mean that nothing is there.</source>
    <translation>Die Karte sagt nichts über diese Fläche; das heißt nicht, dass dort nichts ist.</translation>
  </message>
  <message>
    <source>Layer: {}</source>
    <translation>Layer: {}</translation>
  </message>
</context>
<context>
  <name>panel/promise.py</name>
  <message>
    <source>Expired: its last day of use was {}. Ask who authorised it before you use it.</source>
    <translation>Abgelaufen: der letzte Tag der Nutzung war {}. Fragen Sie, wer sie erlaubt hat, bevor Sie sie benutzen.</translation>
  </message>
  <message>
    <source>Authorised by: {}</source>
    <translation>Erlaubt von: {}</translation>
  </message>
  <message>
    <source>not declared</source>
    <translation>nicht angegeben</translation>
  </message>
  <message>
    <source>Purpose: {}</source>
    <translation>Zweck: {}</translation>
  </message>
  <message>
    <source>Last day of use: {}</source>
    <translation>Letzter Tag der Nutzung: {}</translation>
  </message>
  <message>
    <source>Local Contexts labels: {}</source>
    <translation>Local-Contexts-Labels: {}</translation>
  </message>
</context>
<context>
  <name>panel/release_section.py</name>
  <message>
    <source>Choose a layer of a release in the Layers panel: one of cells.gpkg, which dpmap writes beside release.dpmap.</source>
    <translation>Wählen Sie im Layerfenster einen Layer einer Karte: einen aus cells.gpkg, das dpmap neben release.dpmap schreibt.</translation>
  </message>
  <message>
    <source>The map's promise</source>
    <translation>Was die Karte verspricht</translation>
  </message>
  <message>
    <source>The promise</source>
    <translation>Das Versprechen</translation>
  </message>
  <message>
    <source>Opens {} of the release's folder</source>
    <translation>Öffnet {} im Ordner der Karte</translation>
  </message>
  <message>
    <source>Folder</source>
    <translation>Ordner</translation>
  </message>
  <message>
    <source>Opens the release's folder</source>
    <translation>Öffnet den Ordner der Karte</translation>
  </message>
  <message>
    <source>Print layout</source>
    <translation>Drucklayout</translation>
  </message>
  <message>
    <source>Makes a page to print, with the promise</source>
    <translation>Macht eine Seite zum Drucken, mit dem Versprechen</translation>
  </message>
  <message>
    <source>No release is chosen.</source>
    <translation>Es ist keine Karte gewählt.</translation>
  </message>
  <message>
    <source>Reading the release...</source>
    <translation>Die Karte wird gelesen...</translation>
  </message>
  <message>
    <source>{} is not in the release's folder any more</source>
    <translation>{} ist nicht mehr im Ordner der Karte</translation>
  </message>
</context>
<context>
  <name>panel/releases.py</name>
  <message>
    <source>Attestation</source>
    <translation>Bescheinigung</translation>
  </message>
  <message>
    <source>The protected</source>
    <translation>Für die Geschützten</translation>
  </message>
  <message>
    <source>Map page</source>
    <translation>Kartenseite</translation>
  </message>
</context>
<context>
  <name>panel/remains.py</name>
  <message>
    <source>{} of {} remains; {} is spent</source>
    <translation>{} von {} bleibt; {} ist ausgegeben</translation>
  </message>
  <message>
    <source>delta: {} of {} remains</source>
    <translation>Delta: {} von {} bleibt</translation>
  </message>
  <message>
    <source>1 release</source>
    <translation>1 Karte</translation>
  </message>
  <message>
    <source>{} releases</source>
    <translation>{} Karten</translation>
  </message>
  <message>
    <source>{}: {}, epsilon {} spent</source>
    <translation>{}: {}, Epsilon {} ausgegeben</translation>
  </message>
  <message>
    <source>, the last on {}</source>
    <translation>, die letzte am {}</translation>
  </message>
  <message>
    <source>; the plan allows {} next</source>
    <translation>; der Plan erlaubt als Nächstes {}</translation>
  </message>
  <message>
    <source>Spent without a map: {} for {} on {} (unless one is being made now)</source>
    <translation>Ohne Karte ausgegeben: {} für {} am {} (falls nicht gerade eine entsteht)</translation>
  </message>
  <message>
    <source>The plan: {} for {} releases, {} of it used</source>
    <translation>Der Plan: {} für {} Karten, {} davon verbraucht</translation>
  </message>
  <message>
    <source>; it leaves nothing for a data set without a release yet</source>
    <translation>; für einen Datensatz, der noch keine Karte hat, lässt er nichts übrig</translation>
  </message>
  <message>
    <source>; a data set without a release yet may take {}</source>
    <translation>; ein Datensatz, der noch keine Karte hat, darf {} nehmen</translation>
  </message>
  <message>
    <source>No release was made yet.</source>
    <translation>Es wurde noch keine Karte gemacht.</translation>
  </message>
  <message>
    <source>The last releases:</source>
    <translation>Die letzten Karten:</translation>
  </message>
  <message>
    <source>{}: {}, epsilon {}; {} remained</source>
    <translation>{}: {}, Epsilon {}; es blieb {}</translation>
  </message>
</context>
<context>
  <name>panel/zone_section.py</name>
  <message>
    <source>Draw the area of a project, or ask for features that are selected. Asking costs nothing.</source>
    <translation>Zeichnen Sie das Gebiet eines Projekts, oder fragen Sie gewählte Objekte ab. Fragen kostet nichts.</translation>
  </message>
  <message>
    <source>What a zone holds</source>
    <translation>Was eine Zone enthält</translation>
  </message>
  <message>
    <source>Draw a zone</source>
    <translation>Zone zeichnen</translation>
  </message>
  <message>
    <source>Left click adds a point, right click ends, Backspace takes a point back, Esc starts anew</source>
    <translation>Linksklick setzt einen Punkt, Rechtsklick beendet, Rücktaste nimmt einen Punkt zurück, Esc beginnt neu</translation>
  </message>
  <message>
    <source>Ask for what is shown</source>
    <translation>Sichtbares abfragen</translation>
  </message>
  <message>
    <source>Layer with selected features</source>
    <translation>Layer mit gewählten Objekten</translation>
  </message>
  <message>
    <source>Selected features of:</source>
    <translation>Gewählte Objekte von:</translation>
  </message>
  <message>
    <source>Ask for the selected</source>
    <translation>Gewählte abfragen</translation>
  </message>
  <message>
    <source>Asks for the selected features</source>
    <translation>Fragt die gewählten Objekte ab</translation>
  </message>
  <message>
    <source>What the zone holds</source>
    <translation>Was die Zone enthält</translation>
  </message>
  <message>
    <source>What the numbers are</source>
    <translation>Was die Zahlen bedeuten</translation>
  </message>
  <message>
    <source>Keep as a layer</source>
    <translation>Als Layer behalten</translation>
  </message>
  <message>
    <source>Adds the zones with their answers to the project</source>
    <translation>Fügt die Zonen mit ihren Antworten dem Projekt hinzu</translation>
  </message>
  <message>
    <source>{} points. Right click or Enter ends, Backspace takes a point back, Esc starts anew.</source>
    <translation>{} Punkte. Rechtsklick oder Eingabe beendet, Rücktaste nimmt einen Punkt zurück, Esc beginnt neu.</translation>
  </message>
  <message>
    <source>A zone needs three points or more; so far {}.</source>
    <translation>Eine Zone braucht mindestens drei Punkte; bisher {}.</translation>
  </message>
  <message>
    <source>No feature of this layer is selected; select those to ask for.</source>
    <translation>In diesem Layer ist kein Objekt gewählt; wählen Sie die, nach denen Sie fragen.</translation>
  </message>
  <message>
    <source>More than {} are selected; ask with the algorithm for zones in the toolbox.</source>
    <translation>Mehr als {} sind gewählt; fragen Sie mit dem Algorithmus für Zonen in den Verarbeitungswerkzeugen.</translation>
  </message>
  <message>
    <source>No release is chosen: choose one of its layers in the Layers panel.</source>
    <translation>Es ist keine Karte gewählt: wählen Sie einen ihrer Layer im Layerfenster.</translation>
  </message>
  <message>
    <source>The release is still being read; ask again in a moment.</source>
    <translation>Die Karte wird noch gelesen; fragen Sie gleich noch einmal.</translation>
  </message>
  <message>
    <source>The zone has no CRS; set one for the layer, or for the project.</source>
    <translation>Die Zone hat kein KBS; setzen Sie eines für den Layer oder das Projekt.</translation>
  </message>
  <message>
    <source>There is no area in what was chosen.</source>
    <translation>In dem, was gewählt wurde, ist keine Fläche.</translation>
  </message>
  <message>
    <source>Asking...</source>
    <translation>Frage läuft...</translation>
  </message>
  <message>
    <source>The zone lies where its CRS cannot be turned into degrees; draw it nearer to the map.</source>
    <translation>Die Zone liegt, wo sich ihr KBS nicht in Grad umrechnen lässt; zeichnen Sie sie näher an der Karte.</translation>
  </message>
  <message>
    <source>asking for a zone</source>
    <translation>eine Zone wird abgefragt</translation>
  </message>
  <message>
    <source>The zone's edge crosses itself: all that it encloses was counted. Draw it anew if that is not meant.</source>
    <translation>Der Rand der Zone kreuzt sich: alles, was er einschließt, wurde gezählt. Zeichnen Sie sie neu, wenn das nicht gemeint ist.</translation>
  </message>
</context>
<context>
  <name>panel/zones_said.py</name>
  <message>
    <source>Zone {}</source>
    <translation>Zone {}</translation>
  </message>
  <message>
    <source>... and {} more: keep them as a layer to see all</source>
    <translation>... und {} weitere: behalten Sie sie als Layer, um alle zu sehen</translation>
  </message>
  <message>
    <source>, {} % of it in the map</source>
    <translation>, {} % davon in der Karte</translation>
  </message>
  <message>
    <source>{} % interval: {}</source>
    <translation>{}-%-Intervall: {}</translation>
  </message>
  <message>
    <source>wherever they lie in the cells that its edge cuts: {}</source>
    <translation>wo immer sie in den Zellen liegen, die ihr Rand schneidet: {}</translation>
  </message>
</context>
<context>
  <name>rows/asking.py</name>
  <message>
    <source>a filter in QGIS</source>
    <translation>ein Filter in QGIS</translation>
  </message>
  <message>
    <source>a selection in QGIS</source>
    <translation>eine Auswahl in QGIS</translation>
  </message>
  <message>
    <source>a join or a computed column in QGIS</source>
    <translation>eine Verknüpfung oder berechnete Spalte in QGIS</translation>
  </message>
</context>
<context>
  <name>rows/polygons.py</name>
  <message>
    <source>{}: this layer cannot be read; choose a polygon layer</source>
    <translation>{}: dieser Layer lässt sich nicht lesen; wählen Sie einen Polygonlayer</translation>
  </message>
  <message>
    <source>{}: the layer has no CRS; set one in its properties</source>
    <translation>{}: der Layer hat kein KBS; setzen Sie eines in seinen Eigenschaften</translation>
  </message>
  <message>
    <source>{}: no copy of the layer could be written; is the disk full?</source>
    <translation>{}: der Layer ließ sich nicht kopieren; ist der Datenträger voll?</translation>
  </message>
</context>
<context>
  <name>rows/streaming.py</name>
  <message>
    <source>Survey layer: it changed while it was read, or could not be read to its end; nothing was spent. Try again when nothing writes into it</source>
    <translation>Layer der Erhebung: er hat sich beim Lesen geändert oder ließ sich nicht bis zum Ende lesen; es wurde nichts ausgegeben. Versuchen Sie es noch einmal, wenn nichts hineinschreibt</translation>
  </message>
</context>
<context>
  <name>shown/describing.py</name>
  <message>
    <source>statement.md</source>
    <translation>statement.md</translation>
  </message>
  <message>
    <source>attestation.html</source>
    <translation>attestation.html</translation>
  </message>
  <message>
    <source>release.dpmap</source>
    <translation>release.dpmap</translation>
  </message>
  <message>
    <source>differential privacy</source>
    <translation>Differential Privacy</translation>
  </message>
  <message>
    <source>heatmap</source>
    <translation>Heatmap</translation>
  </message>
  <message>
    <source>Authorised by</source>
    <translation>Erlaubt von</translation>
  </message>
  <message>
    <source>Purpose</source>
    <translation>Zweck</translation>
  </message>
  <message>
    <source>Not to be used after</source>
    <translation>Nicht zu benutzen nach</translation>
  </message>
  <message>
    <source>Made with noise added on purpose; no point was moved, and none is shown.</source>
    <translation>Mit absichtlich zugesetztem Rauschen gemacht; kein Punkt wurde verschoben, und keiner ist gezeigt.</translation>
  </message>
</context>
<context>
  <name>shown/layers.py</name>
  <message>
    <source>Raster</source>
    <translation>Raster</translation>
  </message>
</context>
<context>
  <name>shown/layout.py</name>
  <message>
    <source>This layer is not one of dpmap's: open a release, then choose one of its layers</source>
    <translation>Das ist kein Layer von dpmap: öffnen Sie eine Karte, und wählen Sie dann einen ihrer Layer</translation>
  </message>
  <message>
    <source>A private map</source>
    <translation>Eine private Karte</translation>
  </message>
  <message>
    <source>authorised_by</source>
    <translation>authorised_by</translation>
  </message>
  <message>
    <source>purpose</source>
    <translation>purpose</translation>
  </message>
  <message>
    <source>expires</source>
    <translation>expires</translation>
  </message>
  <message>
    <source>the smallest places whose value can be told</source>
    <translation>die kleinsten Flächen, deren Wert sich sagen lässt</translation>
  </message>
  <message>
    <source>cell by cell, as sure as noise allows</source>
    <translation>Zelle für Zelle, so sicher, wie das Rauschen erlaubt</translation>
  </message>
  <message>
    <source>not told: noise hides what is there. It is not empty land.</source>
    <translation>nicht bekannt: Rauschen verbirgt, was dort ist. Es ist kein leeres Land.</translation>
  </message>
  <message>
    <source>Cells of one place are told together: how they differ is not known.</source>
    <translation>Zellen einer Fläche werden zusammen angegeben: wie sie sich unterscheiden, ist nicht bekannt.</translation>
  </message>
  <message>
    <source>A number is the estimate for its whole place; some are left out where they would overlap.</source>
    <translation>Eine Zahl ist der Schätzwert für ihre ganze Fläche; manche fehlen, wo sie sich überdecken würden.</translation>
  </message>
  <message>
    <source>Made</source>
    <translation>Gemacht</translation>
  </message>
  <message>
    <source>release</source>
    <translation>Karte</translation>
  </message>
  <message>
    <source>The whole promise, and what it does not protect: statement.md beside</source>
    <translation>Das ganze Versprechen, und was es nicht schützt: statement.md neben</translation>
  </message>
  <message>
    <source>The template cannot be read: choose another .qpt file</source>
    <translation>Die Vorlage lässt sich nicht lesen: wählen Sie eine andere .qpt-Datei</translation>
  </message>
  <message>
    <source>The template is not one of QGIS: choose another .qpt file</source>
    <translation>Die Vorlage ist keine von QGIS: wählen Sie eine andere .qpt-Datei</translation>
  </message>
</context>
</TS>
