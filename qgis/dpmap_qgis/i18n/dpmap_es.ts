<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
  <name>algorithms/anew.py</name>
  <message>
    <source>Folder: it cannot be made here; choose another</source>
    <translation>Carpeta: no se puede crear aquí; elija otra</translation>
  </message>
  <message>
    <source>Folder: there is something in it already; choose a new one</source>
    <translation>Carpeta: ya hay algo en ella; elija otra nueva</translation>
  </message>
</context>
<context>
  <name>algorithms/base.py</name>
  <message>
    <source>Before a release</source>
    <translation>Antes de un mapa</translation>
  </message>
  <message>
    <source>After a release</source>
    <translation>Después de un mapa</translation>
  </message>
</context>
<context>
  <name>algorithms/compare.py</name>
  <message>
    <source>Compare</source>
    <translation>Comparar</translation>
  </message>
  <message>
    <source>Says where two released maps differ by more than their noise, cell by cell or in your zones.

It costs nothing: it reads both releases and spends no epsilon.</source>
    <translation>Dice dónde dos mapas difieren en más que su ruido, celda por celda o en sus zonas.

No cuesta nada: lee ambos mapas y no gasta épsilon.</translation>
  </message>
  <message>
    <source>Earlier release</source>
    <translation>Mapa anterior</translation>
  </message>
  <message>
    <source>Later release</source>
    <translation>Mapa posterior</translation>
  </message>
  <message>
    <source>Zones</source>
    <translation>Zonas</translation>
  </message>
  <message>
    <source>Polygons to compare instead of cells; the cells of the two maps may then differ.</source>
    <translation>Polígonos que se comparan en vez de celdas; las celdas de los dos mapas pueden entonces diferir.</translation>
  </message>
  <message>
    <source>Rate of false changes</source>
    <translation>Proporción de cambios falsos</translation>
  </message>
  <message>
    <source>Level</source>
    <translation>Nivel</translation>
  </message>
  <message>
    <source>Layer of both maps</source>
    <translation>Capa de ambos mapas</translation>
  </message>
  <message>
    <source>Layer of the earlier map</source>
    <translation>Capa del mapa anterior</translation>
  </message>
  <message>
    <source>Layer of the later map</source>
    <translation>Capa del mapa posterior</translation>
  </message>
  <message>
    <source>Where it is another than that of the other map.</source>
    <translation>Cuando es otra que la del otro mapa.</translation>
  </message>
  <message>
    <source>Changes</source>
    <translation>Cambios</translation>
  </message>
  <message>
    <source>A layer of the cells or zones with the change and its interval.</source>
    <translation>Una capa de las celdas o zonas con el cambio y su intervalo.</translation>
  </message>
  <message>
    <source>Answer as JSON</source>
    <translation>Respuesta en JSON</translation>
  </message>
</context>
<context>
  <name>algorithms/export.py</name>
  <message>
    <source>GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;QGIS style (*.qml);;SLD (*.sld)</source>
    <translation>GeoTIFF (*.tif);;GeoPackage (*.gpkg);;FlatGeobuf (*.fgb);;GeoParquet (*.parquet);;GeoJSON (*.geojson);;CSV (*.csv);;NetCDF (*.nc);;GML (*.gml);;Estilo de QGIS (*.qml);;SLD (*.sld)</translation>
  </message>
  <message>
    <source>Export</source>
    <translation>Exportar</translation>
  </message>
  <message>
    <source>Writes a released map as a raster, a layer or a table, or in a form that an atlas or a portal takes as it is.

It costs nothing: the file holds what the release tells already. The ending of the file's name says which kind it is.</source>
    <translation>Escribe un mapa como ráster, capa o tabla, o en una forma que un atlas o un portal toma tal cual.

No cuesta nada: el archivo contiene lo que el mapa ya dice. La extensión del archivo dice de qué tipo es.</translation>
  </message>
  <message>
    <source>Form</source>
    <translation>Forma</translation>
  </message>
  <message>
    <source>What an atlas or a portal takes: occurrence-cube, atlas-csv, inspire-sd or ebv-cube. Empty: a plain layer or raster.</source>
    <translation>Lo que toma un atlas o un portal: occurrence-cube, atlas-csv, inspire-sd o ebv-cube. Vacío: una capa o ráster simple.</translation>
  </message>
  <message>
    <source>Kinds' keys</source>
    <translation>Claves de las clases</translation>
  </message>
  <message>
    <source>With a form: each kind's key in the portal's list, one a line, like Red deer=2440958,Cervus elaphus.</source>
    <translation>Con una forma: la clave de cada clase en la lista del portal, una por línea, como Red deer=2440958,Cervus elaphus.</translation>
  </message>
  <message>
    <source>Year or month</source>
    <translation>Año o mes</translation>
  </message>
  <message>
    <source>With a form: the year or month of a map without times, like 2024 or 2024-05; where there are several, with blanks between.</source>
    <translation>Con una forma: el año o mes de un mapa sin tiempos, como 2024 o 2024-05; si hay varios, separados por espacios.</translation>
  </message>
  <message>
    <source>Layer of the map</source>
    <translation>Capa del mapa</translation>
  </message>
  <message>
    <source>File</source>
    <translation>Archivo</translation>
  </message>
  <message>
    <source>Where it is written; its ending says as what.</source>
    <translation>Dónde se escribe; su extensión dice como qué.</translation>
  </message>
  <message>
    <source>File that was written</source>
    <translation>Archivo escrito</translation>
  </message>
  <message>
    <source>File: its folder is not there; choose another</source>
    <translation>Archivo: su carpeta no existe; elija otra</translation>
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
    <translation>Hace un mapa de la densidad de registros que apenas cambia según haya participado o no una unidad cualquiera.

&lt;b&gt;Unidad&lt;/b&gt;: a quién se protege: una persona, un sitio, un animal, por el campo que lo nombra. &lt;b&gt;Tope&lt;/b&gt;: cuánto aporta como máximo una unidad. &lt;b&gt;Épsilon&lt;/b&gt;: cuánto puede mover el mapa las probabilidades de alguien sobre una unidad; menos protege más y dice menos. Se gasta para siempre, del &lt;b&gt;presupuesto&lt;/b&gt; que el &lt;b&gt;libro de cuentas&lt;/b&gt; guarda para el conjunto de datos.

El área, las celdas, el tope y épsilon son públicos: elíjalos antes de mirar los datos. No se gasta nada antes de comprobarlo todo.

Una capa que es un simple archivo se lee de ese archivo. Las filas de cualquier otra (filtrada, seleccionada, unida, en memoria, de un servidor) se entregan a dpmap una a una, y la declaración lo dice. Donde un filtro, una selección, una unión o una expresión decide sobre las filas, usted debe confirmarlo: puede conservar la fila de una persona a causa de la de otra, y la promesa vale entonces para las filas que quedan.

Aquí está lo que necesita la mayoría de los mapas. Medias, niveles, límites personales, ruido gaussiano, varios archivos y libros de hojas: dpmap release, en la línea de órdenes, o un dpmap.toml.</translation>
  </message>
  <message>
    <source>cancelled while the rows were handed over: dpmap never had all of them, so nothing was counted and nothing was spent</source>
    <translation>cancelado mientras se entregaban las filas: dpmap nunca las tuvo todas, así que nada se contó ni se gastó</translation>
  </message>
  <message>
    <source>Private heatmap</source>
    <translation>Mapa de calor privado</translation>
  </message>
  <message>
    <source>Read: the layer's own file</source>
    <translation>Leído: el propio archivo de la capa</translation>
  </message>
  <message>
    <source>Read: rows streamed from the layer</source>
    <translation>Leído: filas entregadas por la capa</translation>
  </message>
  <message>
    <source>Spent epsilon {}; {} of {} remains.</source>
    <translation>Épsilon {} gastado; quedan {} de {}.</translation>
  </message>
  <message>
    <source>The map is made, but its layers could not be loaded: open cells.gpkg in its folder.</source>
    <translation>El mapa está hecho, pero sus capas no se pudieron cargar: abra cells.gpkg en su carpeta.</translation>
  </message>
  <message>
    <source>This map spends epsilon {} of the ledger, for good.</source>
    <translation>Este mapa gasta épsilon {} del libro, para siempre.</translation>
  </message>
  <message>
    <source>This map would spend epsilon {}, and {} remains in the ledger.</source>
    <translation>Este mapa gastaría épsilon {}, y en el libro queda {}.</translation>
  </message>
  <message>
    <source>This map spends epsilon {} for good: {} remains in the ledger now, {} after it.</source>
    <translation>Este mapa gasta épsilon {} para siempre: en el libro queda {} ahora y {} después.</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_checks.py</name>
  <message>
    <source>Survey layer: it holds changes that are not saved; save or discard them first</source>
    <translation>Capa del muestreo: tiene cambios sin guardar; guárdelos o descártelos primero</translation>
  </message>
  <message>
    <source>Survey layer: {} decides which rows or values count. An expression or a hand may keep or leave out one person's rows because of another's, and the promise is then about the rows that are left. If that is meant, tick “The rows left by a filter, a selection, a join or an expression are what is meant”</source>
    <translation>Capa del muestreo: {} decide qué filas o valores cuentan. Una expresión o una mano puede conservar o quitar filas de una persona a causa de las de otra, y la promesa vale entonces para las filas que quedan. Si es lo que quiere, marque «Se quieren las filas que deja un filtro, una selección, una unión o una expresión»</translation>
  </message>
  <message>
    <source>Survey layer: choose a layer with places</source>
    <translation>Capa del muestreo: elija una capa con lugares</translation>
  </message>
  <message>
    <source>Survey layer: a limit on the number of features lets one person's row push out another's; take it away</source>
    <translation>Capa del muestreo: un límite de objetos hace que la fila de una persona desplace a la de otra; quítelo</translation>
  </message>
  <message>
    <source> and </source>
    <translation> y </translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which reference system its coordinates are in; set the layer's CRS</source>
    <translation>Capa del muestreo: nadie ha dicho en qué sistema están sus coordenadas; defina el SRC de la capa</translation>
  </message>
  <message>
    <source>Survey layer: it holds lines or areas; tick “Lines and areas count, at a point on them”, or choose points</source>
    <translation>Capa del muestreo: contiene líneas o áreas; marque «Las líneas y áreas cuentan, en un punto de ellas» o elija puntos</translation>
  </message>
  <message>
    <source>Unit</source>
    <translation>Unidad</translation>
  </message>
  <message>
    <source>Consent</source>
    <translation>Consentimiento</translation>
  </message>
  <message>
    <source>Uncertainty</source>
    <translation>Incertidumbre</translation>
  </message>
  <message>
    <source>Site</source>
    <translation>Sitio</translation>
  </message>
  <message>
    <source>{}: the layer has no such field, or it holds lists, maps or bytes; choose another</source>
    <translation>{}: la capa no tiene ese campo, o contiene listas, mapas o bytes; elija otro</translation>
  </message>
  <message>
    <source>Area: choose a polygon layer or name a country, one of the two; it is never read off the survey</source>
    <translation>Área: elija una capa de polígonos o nombre un país, uno de los dos; nunca se lee del muestreo</translation>
  </message>
  <message>
    <source>Cells: give one of the four: a size like 1 km, an official grid, hexagons, or the polygons of the area</source>
    <translation>Celdas: indique una de las cuatro: un tamaño como 1 km, una cuadrícula oficial, hexágonos o los polígonos del área</translation>
  </message>
  <message>
    <source>Cells: a country is one polygon; choose a layer of areas to have one cell for each</source>
    <translation>Celdas: un país es un solo polígono; elija una capa de áreas para tener una celda por cada una</translation>
  </message>
  <message>
    <source>Area: it is the survey's own layer; the area must be public, and is never read off the survey</source>
    <translation>Área: es la propia capa del muestreo; el área debe ser pública y nunca se lee del muestreo</translation>
  </message>
  <message>
    <source>Area: the layer holds no polygons; choose one that does</source>
    <translation>Área: la capa no tiene polígonos; elija una que los tenga</translation>
  </message>
  <message>
    <source>Area: it holds changes that are not saved; save or discard them first</source>
    <translation>Área: tiene cambios sin guardar; guárdelos o descártelos primero</translation>
  </message>
  <message>
    <source>Area: set the layer's CRS</source>
    <translation>Área: defina el SRC de la capa</translation>
  </message>
  <message>
    <source>Unit: say who is protected: choose the field that names each, or tick “each row is a unit”; there is no default</source>
    <translation>Unidad: diga a quién se protege: elija el campo que nombra a cada uno o marque «cada fila es una unidad»; no hay valor por defecto</translation>
  </message>
  <message>
    <source>Unit: a field called row would make each row a unit; give it another name first</source>
    <translation>Unidad: un campo llamado row haría de cada fila una unidad; póngale antes otro nombre</translation>
  </message>
  <message>
    <source>Cap: it must be a whole number of at least 1, like 5</source>
    <translation>Tope: un número entero de al menos 1, como 5</translation>
  </message>
  <message>
    <source>Epsilon: it must be a number above 0 with a point, like 0.5</source>
    <translation>Épsilon: un número mayor que 0 con punto, como 0.5</translation>
  </message>
  <message>
    <source>Budget: it must be a number above 0 with a point, like 3</source>
    <translation>Presupuesto: un número mayor que 0 con punto, como 3</translation>
  </message>
  <message>
    <source>Consent: choose its field and write the values that mean yes, or leave both empty</source>
    <translation>Consentimiento: elija su campo y escriba los valores que significan sí, o deje ambos vacíos</translation>
  </message>
  <message>
    <source>Data set: give it a name, the same for each map of this survey</source>
    <translation>Conjunto de datos: déle un nombre, el mismo para cada mapa de este muestreo</translation>
  </message>
  <message>
    <source>Folder: name a new folder that stays; a map that was paid for must not lie among temporary files</source>
    <translation>Carpeta: indique una carpeta nueva que permanezca; un mapa ya pagado no debe estar entre archivos temporales</translation>
  </message>
  <message>
    <source>Folder: it holds a release already; choose a new one (where that one was broken off: dpmap release --resume FOLDER)</source>
    <translation>Carpeta: ya contiene un mapa; elija otra (si quedó interrumpido: dpmap release --resume FOLDER)</translation>
  </message>
  <message>
    <source>Folder: the folder around it does not exist; make it first</source>
    <translation>Carpeta: la carpeta que la contiene no existe; créela primero</translation>
  </message>
  <message>
    <source>Ledger: name its file; it keeps what all maps of the data set have cost</source>
    <translation>Libro de cuentas: indique su archivo; guarda lo que han costado todos los mapas del conjunto</translation>
  </message>
  <message>
    <source>Ledger: its folder does not exist; make it first, or choose another</source>
    <translation>Libro de cuentas: su carpeta no existe; créela primero o elija otra</translation>
  </message>
  <message>
    <source>Budget: the ledger knows no such data set; check its name, or begin it by giving the ledger's budget, {}</source>
    <translation>Presupuesto: el libro no conoce ese conjunto de datos; revise su nombre o empiécelo dando el presupuesto del libro, {}</translation>
  </message>
  <message>
    <source>Budget: the ledger does not hold this data set yet; say how much epsilon it may ever cost, like 3</source>
    <translation>Presupuesto: el libro aún no tiene este conjunto de datos; diga cuánto épsilon puede costar en total, como 3</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_help.py</name>
  <message>
    <source>The layer with the records, a row each. It is read, never changed or copied; a filter and a selection are honoured.</source>
    <translation>La capa con los registros, uno por fila. Se lee, nunca se cambia ni se copia; se respetan el filtro y la selección.</translation>
  </message>
  <message>
    <source>Tick it where a filter, a selection, a join or an expression decides which rows count. The promise is then about the rows that are left.</source>
    <translation>Márquelo si un filtro, una selección, una unión o una expresión decide qué filas cuentan. La promesa vale entonces para las filas que quedan.</translation>
  </message>
  <message>
    <source>The study area: a public layer of polygons. It is part of the map, so it must not be drawn around the records.</source>
    <translation>El área de estudio: una capa pública de polígonos. Forma parte del mapa, así que no debe dibujarse alrededor de los registros.</translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya. Its border comes with dpmap.</source>
    <translation>El nombre inglés de un país en vez de una capa del área, como Kenya. Su frontera viene con dpmap.</translation>
  </message>
  <message>
    <source>The side of a square cell with its unit, like 1 km, 500 m, 0.1 deg or 5 min. Larger cells tell more surely.</source>
    <translation>El lado de una celda cuadrada con su unidad, como 1 km, 500 m, 0.1 deg o 5 min. Las celdas más grandes dan más certeza.</translation>
  </message>
  <message>
    <source>The cells of an official grid instead, by its name: each cell gets the code that others know it by.</source>
    <translation>En su lugar, las celdas de una cuadrícula oficial, por su nombre: cada celda recibe el código con que otros la conocen.</translation>
  </message>
  <message>
    <source>H3 hexagons instead of squares: 0 is the coarsest, 15 the finest; one of 6 covers about 36 square kilometres.</source>
    <translation>Hexágonos H3 en vez de cuadrados: 0 es el más grueso, 15 el más fino; uno de 6 cubre unos 36 kilómetros cuadrados.</translation>
  </message>
  <message>
    <source>Counts in each polygon of the area layer instead of in squares: districts, parks, fields.</source>
    <translation>Cuenta en cada polígono de la capa del área en vez de en cuadrados: distritos, parques, campos.</translation>
  </message>
  <message>
    <source>The field that names who is protected: the person, the nest, the animal. All rows with one name are one unit.</source>
    <translation>El campo que nombra a quién se protege: la persona, el nido, el animal. Todas las filas con un mismo nombre son una unidad.</translation>
  </message>
  <message>
    <source>Protects each row by itself. Somebody who stands in many rows is then not protected: choose a field where you can.</source>
    <translation>Protege cada fila por separado. Quien está en muchas filas no queda protegido: elija un campo siempre que pueda.</translation>
  </message>
  <message>
    <source>How many points one unit adds to the whole map at most. Choose it from what is known of the work, not from these rows.</source>
    <translation>Cuántos puntos aporta como máximo una unidad al mapa entero. Elíjalo por lo que se sabe del trabajo, no por estas filas.</translation>
  </message>
  <message>
    <source>How far the map may move anybody's odds about one unit; smaller protects more. The word next takes the ledger's plan.</source>
    <translation>Cuánto puede mover el mapa las probabilidades de alguien sobre una unidad; menos protege más. La palabra next toma el plan del libro de cuentas.</translation>
  </message>
  <message>
    <source>The field that says whether a row may count. A row that says something else is left out before anything is counted.</source>
    <translation>El campo que dice si una fila puede contar. La fila que dice otra cosa se quita antes de contar nada.</translation>
  </message>
  <message>
    <source>What stands in that field where the answer is yes, with commas between; all else is no.</source>
    <translation>Lo que pone en ese campo cuando la respuesta es sí, separado por comas; todo lo demás es no.</translation>
  </message>
  <message>
    <source>The file that keeps what all maps of a data set have cost. Name the same one each time; a second one would forget the first.</source>
    <translation>El archivo que guarda lo que han costado todos los mapas de un conjunto de datos. Indique siempre el mismo; otro olvidaría el primero.</translation>
  </message>
  <message>
    <source>The name under which the ledger keeps this survey. Give each map of the same people or places the same name.</source>
    <translation>El nombre con que el libro de cuentas lleva este muestreo. Dé a cada mapa de las mismas personas o lugares el mismo nombre.</translation>
  </message>
  <message>
    <source>The most epsilon that all maps of this data set may ever cost together. It is declared once, at the first map.</source>
    <translation>El máximo de épsilon que pueden costar juntos, para siempre, todos los mapas de este conjunto de datos. Se declara una vez, en el primer mapa.</translation>
  </message>
  <message>
    <source>A new folder that stays: the release, its layers, its statement and its page are put there.</source>
    <translation>Una carpeta nueva que permanezca: ahí se ponen el mapa, sus capas, su declaración y su página.</translation>
  </message>
  <message>
    <source>Only rows for which this is true count. It looks at one row by itself, so that nobody's row depends on another's.</source>
    <translation>Solo cuentan las filas para las que esto es cierto. Mira cada fila por separado, para que la fila de nadie dependa de la de otro.</translation>
  </message>
  <message>
    <source>Rows of this day and later count. Write the column before it where there are several: seen=2020-05.</source>
    <translation>Cuentan las filas de este día en adelante. Escriba antes la columna si hay varias: seen=2020-05.</translation>
  </message>
  <message>
    <source>Rows up to this day count, the day itself included.</source>
    <translation>Cuentan las filas hasta este día, incluido.</translation>
  </message>
  <message>
    <source>The order of day, month and year where it can be read two ways: dmy is 31/05/2020.</source>
    <translation>El orden de día, mes y año cuando se puede leer de dos maneras: dmy es 31/05/2020.</translation>
  </message>
  <message>
    <source>What is left out where somebody refuses: the row that says so, or every row of that unit.</source>
    <translation>Qué se quita cuando alguien se niega: la fila que lo dice, o todas las filas de esa unidad.</translation>
  </message>
  <message>
    <source>What happens to a row that names nobody: it is dropped, or it counts as a unit of its own.</source>
    <translation>Qué pasa con una fila que no nombra a nadie: se quita, o cuenta como una unidad propia.</translation>
  </message>
  <message>
    <source>Where one text names several people: what stands between the names. Each of them is then protected.</source>
    <translation>Cuando un texto nombra a varias personas: lo que separa los nombres. Cada una queda entonces protegida.</translation>
  </message>
  <message>
    <source>The field that says by how many metres a place may be wrong.</source>
    <translation>El campo que dice en cuántos metros puede estar equivocado un lugar.</translation>
  </message>
  <message>
    <source>Rows whose place is less certain than this are left out; write a length, like 1 km.</source>
    <translation>Las filas cuyo lugar es menos preciso que esto se quitan; escriba una longitud, como 1 km.</translation>
  </message>
  <message>
    <source>A line or an area counts once, at a point that lies on it. Without this only points are taken.</source>
    <translation>Una línea o un área cuenta una vez, en un punto que está en ella. Sin esto solo se toman puntos.</translation>
  </message>
  <message>
    <source>The field that names the site of each row, where the sites are to be protected beside the units.</source>
    <translation>El campo que nombra el sitio de cada fila, si los sitios deben protegerse además de las unidades.</translation>
  </message>
  <message>
    <source>A file with the place of each site. It is kept as the survey is: it is not part of the map.</source>
    <translation>Un archivo con la posición de cada sitio. Se guarda como el muestreo: no forma parte del mapa.</translation>
  </message>
  <message>
    <source>From how many units one site takes points at most; without it, from one.</source>
    <translation>De cuántas unidades toma puntos un sitio como máximo; si no se dice, de una.</translation>
  </message>
  <message>
    <source>How a unit with more rows than the cap is held to it: all rows weigh less (scale), some are drawn (sample), or each cell counts once (presence).</source>
    <translation>Cómo se ajusta al tope una unidad con más filas: todas pesan menos (scale), se sortean algunas (sample), o cada celda cuenta una vez (presence).</translation>
  </message>
  <message>
    <source>Adaptive joins cells where little is and is right for most maps; flat gives each cell its own noisy number; sparse:20 only those of 20 and more.</source>
    <translation>Adaptive une celdas donde hay poco y sirve para la mayoría de los mapas; flat da a cada celda su propio número con ruido; sparse:20, solo a las de 20 o más.</translation>
  </message>
  <message>
    <source>Makes a map for each kind that you name, all under one cap and one epsilon: species=Kestrel,Red kite.</source>
    <translation>Hace un mapa por cada clase que nombre, todos bajo un tope y un épsilon: species=Kestrel,Red kite.</translation>
  </message>
  <message>
    <source>Makes a map for each span between two dates: seen=2023,2024,2025 makes two, one for each year.</source>
    <translation>Hace un mapa por cada periodo entre dos fechas: seen=2023,2024,2025 hace dos, uno por cada año.</translation>
  </message>
  <message>
    <source>Takes only the polygons of the area layer in which a text field holds exactly this name.</source>
    <translation>Toma solo los polígonos de la capa del área en los que un campo de texto contiene exactamente este nombre.</translation>
  </message>
  <message>
    <source>The reference system in which the squares are laid out. Leave it empty to have one chosen that keeps areas true.</source>
    <translation>El sistema de referencia en que se trazan los cuadrados. Vacío: se elige uno que conserva las áreas.</translation>
  </message>
  <message>
    <source>Refuses cells that are smaller than a body of practice allows for such records, like gbif-2.</source>
    <translation>Rechaza celdas más pequeñas de lo que una norma de práctica permite para tales registros, como gbif-2.</translation>
  </message>
  <message>
    <source>Confirms that so small a map is meant: with four cells or fewer a mistake of size is likelier.</source>
    <translation>Confirma que se quiere un mapa tan pequeño: con cuatro celdas o menos es más fácil un error de tamaño.</translation>
  </message>
  <message>
    <source>Tick it where somebody chose the cap after seeing the rows: the statement then says so, as honesty asks.</source>
    <translation>Márquelo si alguien eligió el tope después de ver las filas: la declaración lo dice entonces, como pide la honestidad.</translation>
  </message>
  <message>
    <source>The person or body that decided to publish; shown on the map.</source>
    <translation>La persona u organismo que decidió publicar; se muestra en el mapa.</translation>
  </message>
  <message>
    <source>What readers may use it for; shown on the map.</source>
    <translation>Para qué pueden usarlo los lectores; se muestra en el mapa.</translation>
  </message>
  <message>
    <source>The day after which it must not be used any more; shown on the map.</source>
    <translation>El día después del cual ya no se debe usar; se muestra en el mapa.</translation>
  </message>
  <message>
    <source>Labels by which an Indigenous community says how its knowledge may be used; shown on the map.</source>
    <translation>Etiquetas con que una comunidad indígena dice cómo se puede usar su conocimiento; se muestran en el mapa.</translation>
  </message>
  <message>
    <source>The terms of use, by a short name like CC-BY-4.0 or an https address.</source>
    <translation>Las condiciones de uso, con un nombre corto como CC-BY-4.0 o una dirección https.</translation>
  </message>
  <message>
    <source>Why exact places are withheld, in a term that portals know.</source>
    <translation>Por qué no se dan los lugares exactos, con un término que los portales conocen.</translation>
  </message>
  <message>
    <source>Told to auditors: who holds the survey and the ledger, where, and when they are destroyed.</source>
    <translation>Para los auditores: quién guarda el muestreo y el libro de cuentas, dónde, y cuándo se destruyen.</translation>
  </message>
  <message>
    <source>Other maps or tables of the same data, which add to what is known; or the word nothing.</source>
    <translation>Otros mapas o tablas de los mismos datos, que se suman a lo que se sabe; o la palabra nothing.</translation>
  </message>
</context>
<context>
  <name>algorithms/heatmap_inputs.py</name>
  <message>
    <source>Release file</source>
    <translation>Archivo del mapa</translation>
  </message>
  <message>
    <source>Statement</source>
    <translation>Declaración</translation>
  </message>
  <message>
    <source>Patches</source>
    <translation>Zonas de color</translation>
  </message>
  <message>
    <source>Cells</source>
    <translation>Celdas</translation>
  </message>
  <message>
    <source>Spent</source>
    <translation>Gastado</translation>
  </message>
  <message>
    <source>Remaining</source>
    <translation>Restante</translation>
  </message>
  <message>
    <source>Event in the ledger</source>
    <translation>Apunte en el libro de cuentas</translation>
  </message>
  <message>
    <source>Survey layer</source>
    <translation>Capa del muestreo</translation>
  </message>
  <message>
    <source>The rows left by a filter, a selection, a join or an expression are what is meant</source>
    <translation>Se quieren las filas que deja un filtro, una selección, una unión o una expresión</translation>
  </message>
  <message>
    <source>Area: a polygon layer, never the survey</source>
    <translation>Área: una capa de polígonos, nunca el muestreo</translation>
  </message>
  <message>
    <source>or a country, like Kenya</source>
    <translation>o un país, como Kenya</translation>
  </message>
  <message>
    <source>Square cells, like 1 km or 0.1 deg</source>
    <translation>Celdas cuadradas, como 1 km o 0.1 deg</translation>
  </message>
  <message>
    <source>or the cells of an official grid</source>
    <translation>o las celdas de una cuadrícula oficial</translation>
  </message>
  <message>
    <source>or H3 hexagons of this resolution</source>
    <translation>o hexágonos H3 de esta resolución</translation>
  </message>
  <message>
    <source>or one cell for each polygon of the area</source>
    <translation>o una celda por cada polígono del área</translation>
  </message>
  <message>
    <source>Unit: the field that says who is protected</source>
    <translation>Unidad: el campo que dice a quién se protege</translation>
  </message>
  <message>
    <source>or each row is a unit (a person with many rows is then not protected)</source>
    <translation>o cada fila es una unidad (una persona con muchas filas no queda protegida)</translation>
  </message>
  <message>
    <source>Cap: most points one unit adds, like 5</source>
    <translation>Tope: puntos que aporta como máximo una unidad, como 5</translation>
  </message>
  <message>
    <source>Epsilon: how far it may move odds about one unit, like 0.5</source>
    <translation>Épsilon: cuánto puede mover las probabilidades sobre una unidad, como 0.5</translation>
  </message>
  <message>
    <source>Consent: the field that says yes</source>
    <translation>Consentimiento: el campo que dice que sí</translation>
  </message>
  <message>
    <source>Values that mean yes, like yes,true</source>
    <translation>Valores que significan sí, como yes,true</translation>
  </message>
  <message>
    <source>Ledger: its file, the same each time (a new name begins one)</source>
    <translation>Libro de cuentas: su archivo, siempre el mismo (un nombre nuevo empieza otro)</translation>
  </message>
  <message>
    <source>Data set: its name in the ledger</source>
    <translation>Conjunto de datos: su nombre en el libro</translation>
  </message>
  <message>
    <source>Budget: most epsilon ever, at the first release of the data set</source>
    <translation>Presupuesto: máximo de épsilon para siempre, en el primer mapa del conjunto</translation>
  </message>
  <message>
    <source>New folder for the release</source>
    <translation>Carpeta nueva para el mapa</translation>
  </message>
  <message>
    <source>Rule over a row's own columns, like species = 'Kestrel' and year &gt;= 2020</source>
    <translation>Regla sobre las columnas de la propia fila, como species = 'Kestrel' and year &gt;= 2020</translation>
  </message>
  <message>
    <source>First date that counts, like 2020-05 or COLUMN=2020</source>
    <translation>Primera fecha que cuenta, como 2020-05 o COLUMN=2020</translation>
  </message>
  <message>
    <source>Last date that counts</source>
    <translation>Última fecha que cuenta</translation>
  </message>
  <message>
    <source>How dates are written: dmy, mdy, ymd, iso</source>
    <translation>Cómo se escriben las fechas: dmy, mdy, ymd, iso</translation>
  </message>
  <message>
    <source>What a refusal takes</source>
    <translation>Qué se quita con una negativa</translation>
  </message>
  <message>
    <source>Rows that name nobody</source>
    <translation>Filas que no nombran a nadie</translation>
  </message>
  <message>
    <source>What stands between names in one text: auto, none, or like ; &amp;</source>
    <translation>Qué separa los nombres en un texto: auto, none, o como ; &amp;</translation>
  </message>
  <message>
    <source>Field of uncertainty in metres</source>
    <translation>Campo de la incertidumbre en metros</translation>
  </message>
  <message>
    <source>Leave out what is less certain, like 1 km</source>
    <translation>Quitar lo menos preciso, como 1 km</translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them</source>
    <translation>Las líneas y áreas cuentan, en un punto de ellas</translation>
  </message>
  <message>
    <source>Field of the sites to protect too</source>
    <translation>Campo de los sitios que también se protegen</translation>
  </message>
  <message>
    <source>File that says where each site is</source>
    <translation>Archivo que dice dónde está cada sitio</translation>
  </message>
  <message>
    <source>Most contributors that one site counts for</source>
    <translation>Máximo de colaboradores por los que cuenta un sitio</translation>
  </message>
  <message>
    <source>How the cap is kept</source>
    <translation>Cómo se respeta el tope</translation>
  </message>
  <message>
    <source>How epsilon is spent: adaptive, flat, or like sparse:20</source>
    <translation>Cómo se gasta épsilon: adaptive, flat, o como sparse:20</translation>
  </message>
  <message>
    <source>A map for each kind: COLUMN=A,B,C, one column a line</source>
    <translation>Un mapa por cada clase: COLUMN=A,B,C, una columna por línea</translation>
  </message>
  <message>
    <source>A map for each span between dates: COLUMN=2023,2024,2025</source>
    <translation>Un mapa por cada periodo: COLUMN=2023,2024,2025</translation>
  </message>
  <message>
    <source>Only the polygons of the area of this name</source>
    <translation>Solo los polígonos del área con este nombre</translation>
  </message>
  <message>
    <source>National grid for the cells, like EPSG:27700</source>
    <translation>Cuadrícula nacional para las celdas, como EPSG:27700</translation>
  </message>
  <message>
    <source>Rule of practice: smallest cells allowed</source>
    <translation>Norma de práctica: celdas mínimas permitidas</translation>
  </message>
  <message>
    <source>An area of four cells or fewer is what is meant</source>
    <translation>Se quiere un área de cuatro celdas o menos</translation>
  </message>
  <message>
    <source>The cap was found by looking at the true numbers</source>
    <translation>El tope se halló mirando los números verdaderos</translation>
  </message>
  <message>
    <source>Who authorised this map</source>
    <translation>Quién autorizó este mapa</translation>
  </message>
  <message>
    <source>What it may be used for</source>
    <translation>Para qué se puede usar</translation>
  </message>
  <message>
    <source>Last day of use, like 2031-12-31</source>
    <translation>Último día de uso, como 2031-12-31</translation>
  </message>
  <message>
    <source>Local Contexts labels, one a line, like TK Attribution</source>
    <translation>Etiquetas de Local Contexts, una por línea, como TK Attribution</translation>
  </message>
  <message>
    <source>Licence, like CC-BY-4.0</source>
    <translation>Licencia, como CC-BY-4.0</translation>
  </message>
  <message>
    <source>Why its places are sensitive, like speciesLocation</source>
    <translation>Por qué son sensibles sus lugares, como speciesLocation</translation>
  </message>
  <message>
    <source>Who can reach the survey and the ledger, and for how long</source>
    <translation>Quién puede acceder al muestreo y al libro, y hasta cuándo</translation>
  </message>
  <message>
    <source>What else was published of the same data, one a line, or: nothing</source>
    <translation>Qué más se publicó de los mismos datos, uno por línea, o: nothing</translation>
  </message>
</context>
<context>
  <name>algorithms/hotspots.py</name>
  <message>
    <source>Hot spots</source>
    <translation>Puntos calientes</translation>
  </message>
  <message>
    <source>Draws where a released map holds more than a number, or more than the land around: only places that noise alone does not explain.

It costs nothing: it reads the release and spends no epsilon.</source>
    <translation>Dibuja dónde un mapa tiene más que un número, o más que el terreno de alrededor: solo lugares que se distinguen del ruido.

No cuesta nada: lee el mapa y no gasta épsilon.</translation>
  </message>
  <message>
    <source>Above</source>
    <translation>Por encima de</translation>
  </message>
  <message>
    <source>A number that a cell must exceed, like 20; or the word surroundings.</source>
    <translation>Un número que la celda debe superar, como 20; o la palabra surroundings.</translation>
  </message>
  <message>
    <source>Rate of false ones</source>
    <translation>Proporción de falsos</translation>
  </message>
  <message>
    <source>A layer of their outlines with totals and intervals.</source>
    <translation>Una capa de sus contornos con totales e intervalos.</translation>
  </message>
  <message>
    <source>How many</source>
    <translation>Cuántos</translation>
  </message>
</context>
<context>
  <name>algorithms/inputs.py</name>
  <message>
    <source>A release.dpmap file, your own or a stranger's; its folder or its cells.gpkg is understood too. It is read, never changed.</source>
    <translation>Un archivo release.dpmap, propio o ajeno; también se entiende su carpeta o su cells.gpkg. Se lee, nunca se cambia.</translation>
  </message>
  <message>
    <source>Which layer of a map of kinds and times, like "Kestrel, 2024"; leave it empty for a map that has one.</source>
    <translation>Qué capa de un mapa de clases y tiempos, como "Kestrel, 2024"; vacío para un mapa que tiene una sola.</translation>
  </message>
  <message>
    <source>How often an interval holds the truth: 0.9 is nine times in ten. More certain intervals are wider.</source>
    <translation>Con qué frecuencia un intervalo contiene la verdad: 0.9 es nueve de cada diez veces. Los intervalos más seguros son más anchos.</translation>
  </message>
  <message>
    <source>The largest expected share of false ones among all that are named: 0.1 is one in ten.</source>
    <translation>La mayor proporción esperada de falsos entre todos los nombrados: 0.1 es uno de cada diez.</translation>
  </message>
  <message>
    <source>Release</source>
    <translation>Mapa</translation>
  </message>
  <message>
    <source>{}: there is no release.dpmap in this folder; choose the file itself</source>
    <translation>{}: no hay release.dpmap en esta carpeta; elija el archivo mismo</translation>
  </message>
  <message>
    <source>{}: there is no such file; check its path</source>
    <translation>{}: no existe ese archivo; revise su ruta</translation>
  </message>
  <message>
    <source>{}: write a number between 0 and 1, like 0.9</source>
    <translation>{}: escriba un número entre 0 y 1, como 0.9</translation>
  </message>
  <message>
    <source>{}: choose a file in a folder that is there, like answer.gpkg</source>
    <translation>{}: elija un archivo en una carpeta que exista, como answer.gpkg</translation>
  </message>
  <message>
    <source>this kind of file cannot be written here; choose one like answer.gpkg</source>
    <translation>este tipo de archivo no se puede escribir aquí; elija uno como answer.gpkg</translation>
  </message>
</context>
<context>
  <name>algorithms/inspect.py</name>
  <message>
    <source>True numbers of the survey: for the operator's eyes only. Do not publish, send or show them. A cap that you choose after seeing them must be declared so: tick “The cap was found by looking at the true numbers” in Private heatmap.</source>
    <translation>Números verdaderos del muestreo: solo para los ojos de quien lo gestiona. No los publique, envíe ni muestre. Un tope que elija después de verlos debe declararse así: marque «El tope se halló mirando los números verdaderos» en Mapa de calor privado.</translation>
  </message>
  <message>
    <source>Inspect</source>
    <translation>Inspeccionar</translation>
  </message>
  <message>
    <source>Looks at a survey before a release: how its rows are read, how many units there are, what each cap leaves out.

It spends no epsilon, but its numbers have no noise: they protect nobody. They stand in this run's log and nowhere else, unless you ask for a file.</source>
    <translation>Mira un muestreo antes de un mapa: cómo se leen sus filas, cuántas unidades hay, qué deja fuera cada tope.

No gasta épsilon, pero sus números no tienen ruido: no protegen a nadie. Están en el registro de esta ejecución y en ningún otro lugar, salvo que pida un archivo.</translation>
  </message>
  <message>
    <source>I am the operator; I will not show these numbers</source>
    <translation>Gestiono estos datos; no mostraré estos números</translation>
  </message>
  <message>
    <source>Nothing is read until this is ticked.</source>
    <translation>No se lee nada hasta que se marque.</translation>
  </message>
  <message>
    <source>The layer with the records. A filter and a selection are honoured.</source>
    <translation>La capa con los registros. Se respetan el filtro y la selección.</translation>
  </message>
  <message>
    <source>The field that says who is protected.</source>
    <translation>El campo que dice a quién se protege.</translation>
  </message>
  <message>
    <source>Area</source>
    <translation>Área</translation>
  </message>
  <message>
    <source>The study area, to see which rows lie in it.</source>
    <translation>El área de estudio, para ver qué filas están en ella.</translation>
  </message>
  <message>
    <source>Square cells</source>
    <translation>Celdas cuadradas</translation>
  </message>
  <message>
    <source>Square cells, like 1 km; with an area.</source>
    <translation>Celdas cuadradas, como 1 km; con un área.</translation>
  </message>
  <message>
    <source>Cap</source>
    <translation>Tope</translation>
  </message>
  <message>
    <source>The cap to look at, where it is not the usual ones.</source>
    <translation>El tope que se mira, si no son los habituales.</translation>
  </message>
  <message>
    <source>FIELD=VALUE: only these rows count, like consent=yes.</source>
    <translation>FIELD=VALUE: solo estas filas cuentan, como consent=yes.</translation>
  </message>
  <message>
    <source>Rule</source>
    <translation>Regla</translation>
  </message>
  <message>
    <source>A rule over a row's fields, like year &gt;= 2020.</source>
    <translation>Una regla sobre los campos de una fila, como year &gt;= 2020.</translation>
  </message>
  <message>
    <source>Lines and areas count</source>
    <translation>Las líneas y áreas cuentan</translation>
  </message>
  <message>
    <source>Lines and areas count, at a point on them.</source>
    <translation>Las líneas y áreas cuentan, en un punto de ellas.</translation>
  </message>
  <message>
    <source>Page with plots</source>
    <translation>Página con gráficos</translation>
  </message>
  <message>
    <source>Numbers</source>
    <translation>Números</translation>
  </message>
  <message>
    <source>True numbers in a file: keep it as you keep the survey. Off unless you ask for it.</source>
    <translation>Números verdaderos en un archivo: guárdelo como guarda el muestreo. No se escribe salvo que lo pida.</translation>
  </message>
  <message>
    <source>tick “I am the operator; I will not show these numbers” first: what follows has no noise</source>
    <translation>marque primero «Gestiono estos datos; no mostraré estos números»: lo que sigue no tiene ruido</translation>
  </message>
  <message>
    <source>Survey layer: nobody has said which CRS its coordinates are in; set the layer's CRS</source>
    <translation>Capa del muestreo: nadie ha dicho en qué SRC están sus coordenadas; defina el SRC de la capa</translation>
  </message>
  <message>
    <source>The file could not be written: choose another</source>
    <translation>No se pudo escribir el archivo: elija otro</translation>
  </message>
</context>
<context>
  <name>algorithms/inspect_told.py</name>
  <message>
    <source>in the middle: {}</source>
    <translation>en el medio: {}</translation>
  </message>
  <message>
    <source>9 in 10 within {}</source>
    <translation>9 de cada 10 dentro de {}</translation>
  </message>
  <message>
    <source>said for {} of the rows that can be used</source>
    <translation>indicada en el {} de las filas utilizables</translation>
  </message>
  <message>
    <source>{} less certain than the cells</source>
    <translation>{} menos precisas que las celdas</translation>
  </message>
  <message>
    <source>{} less certain than 100 m</source>
    <translation>{} menos precisas que 100 m</translation>
  </message>
  <message>
    <source>{} less certain than 1 km</source>
    <translation>{} menos precisas que 1 km</translation>
  </message>
  <message>
    <source>{} less certain than 10 km</source>
    <translation>{} menos precisas que 10 km</translation>
  </message>
  <message>
    <source>HOW IT IS READ</source>
    <translation>CÓMO SE LEE</translation>
  </message>
  <message>
    <source>WHAT IT HOLDS</source>
    <translation>QUÉ CONTIENE</translation>
  </message>
  <message>
    <source>{} rows, of which {} can be used</source>
    <translation>{} filas, de las que {} se pueden usar</translation>
  </message>
  <message>
    <source>left out, {}: {} ({})</source>
    <translation>quitadas, {}: {} ({})</translation>
  </message>
  <message>
    <source>{} rows repeat a unit and a place</source>
    <translation>{} filas repiten una unidad y un lugar</translation>
  </message>
  <message>
    <source>WHO IS IN IT</source>
    <translation>QUIÉN ESTÁ EN ÉL</translation>
  </message>
  <message>
    <source>{} units</source>
    <translation>{} unidades</translation>
  </message>
  <message>
    <source>rows of a unit: {} in the middle, 9 in 10 have at most {}, 99 in 100 at most {}, one has {}</source>
    <translation>filas por unidad: {} en el medio, 9 de cada 10 tienen como máximo {}, 99 de cada 100 como máximo {}, una tiene {}</translation>
  </message>
  <message>
    <source>with {} rows: {} units</source>
    <translation>con {} filas: {} unidades</translation>
  </message>
  <message>
    <source>WHAT A CAP TAKES AWAY</source>
    <translation>QUÉ QUITA UN TOPE</translation>
  </message>
  <message>
    <source>a cap of {}: {}</source>
    <translation>un tope de {}: {}</translation>
  </message>
  <message>
    <source>DATES in {}: {} rows filled in; can be read as {}</source>
    <translation>FECHAS en {}: {} filas rellenas; se pueden leer como {}</translation>
  </message>
  <message>
    <source>none</source>
    <translation>ninguna</translation>
  </message>
  <message>
    <source>a limit of {}: {} units</source>
    <translation>un límite de {}: {} unidades</translation>
  </message>
  <message>
    <source>MAY BE THE UNIT: {}</source>
    <translation>PUEDE SER LA UNIDAD: {}</translation>
  </message>
  <message>
    <source>links to sites, {}: {}</source>
    <translation>vínculos con sitios, {}: {}</translation>
  </message>
  <message>
    <source>ADVICE: {}</source>
    <translation>CONSEJO: {}</translation>
  </message>
  <message>
    <source>HOW CERTAIN PLACES ARE</source>
    <translation>CUÁN PRECISOS SON LOS LUGARES</translation>
  </message>
</context>
<context>
  <name>algorithms/layout.py</name>
  <message>
    <source>Print layout of a map</source>
    <translation>Diseño de impresión de un mapa</translation>
  </message>
  <message>
    <source>Makes an A4 sheet of a released map: the map, its legend, the promise in one sentence, a scale and who authorised it. In QGIS's window the layout also stands in the project, to be changed by hand. Choose a layer of a release, or its release.dpmap. It reads no survey and costs nothing.</source>
    <translation>Hace una hoja A4 de un mapa: el mapa, su leyenda, la promesa en una frase, una escala y quién lo autorizó. En la ventana de QGIS el diseño queda también en el proyecto, para cambiarlo a mano. Elija una capa de un mapa, o su release.dpmap. No lee ningún muestreo y no cuesta nada.</translation>
  </message>
  <message>
    <source>Layer of a release</source>
    <translation>Capa de un mapa</translation>
  </message>
  <message>
    <source>A layer that dpmap drew; its classes become the legend of the sheet.</source>
    <translation>Una capa que dibujó dpmap; sus clases son la leyenda de la hoja.</translation>
  </message>
  <message>
    <source>Or a release (release.dpmap)</source>
    <translation>O un mapa (release.dpmap)</translation>
  </message>
  <message>
    <source>The release itself, where none of its layers is open.</source>
    <translation>El mapa mismo, si ninguna de sus capas está abierta.</translation>
  </message>
  <message>
    <source>Sheet</source>
    <translation>Hoja</translation>
  </message>
  <message>
    <source>A4 landscape</source>
    <translation>A4 horizontal</translation>
  </message>
  <message>
    <source>A4 portrait</source>
    <translation>A4 vertical</translation>
  </message>
  <message>
    <source>Which way round the paper lies.</source>
    <translation>Cómo se orienta el papel.</translation>
  </message>
  <message>
    <source>Name of the layout</source>
    <translation>Nombre del diseño</translation>
  </message>
  <message>
    <source>How the project lists the layout; empty: the name of the data set.</source>
    <translation>Cómo llama el proyecto al diseño; vacío: el nombre del conjunto de datos.</translation>
  </message>
  <message>
    <source>PDF</source>
    <translation>PDF</translation>
  </message>
  <message>
    <source>Picture</source>
    <translation>Imagen</translation>
  </message>
  <message>
    <source>Where the sheet is written; leave it empty to have the layout in the project alone.</source>
    <translation>Dónde se escribe la hoja; vacío: el diseño queda solo en el proyecto.</translation>
  </message>
  <message>
    <source>No layer of a release is named: choose one, or its release.dpmap</source>
    <translation>No se nombra ninguna capa de un mapa: elija una, o su release.dpmap</translation>
  </message>
  <message>
    <source>No layer could be made of this release: try 'Open a release'</source>
    <translation>No se pudo hacer ninguna capa de este mapa: pruebe «Abrir un mapa»</translation>
  </message>
  <message>
    <source>The sheet could not be written: choose another file</source>
    <translation>No se pudo escribir la hoja: elija otro archivo</translation>
  </message>
</context>
<context>
  <name>algorithms/ledger.py</name>
  <message>
    <source>number</source>
    <translation>número</translation>
  </message>
  <message>
    <source>time</source>
    <translation>hora</translation>
  </message>
  <message>
    <source>dataset</source>
    <translation>conjunto de datos</translation>
  </message>
  <message>
    <source>kind</source>
    <translation>clase</translation>
  </message>
  <message>
    <source>epsilon</source>
    <translation>épsilon</translation>
  </message>
  <message>
    <source>unit</source>
    <translation>unidad</translation>
  </message>
  <message>
    <source>then</source>
    <translation>después</translation>
  </message>
  <message>
    <source>remaining</source>
    <translation>restante</translation>
  </message>
  <message>
    <source>Read the ledger</source>
    <translation>Leer el libro de cuentas</translation>
  </message>
  <message>
    <source>Verifies a ledger and says what was spent, on which data set and unit, and what remains.

It costs nothing and changes nothing.</source>
    <translation>Verifica un libro de cuentas y dice qué se gastó, en qué conjunto de datos y unidad, y qué queda.

No cuesta nada y no cambia nada.</translation>
  </message>
  <message>
    <source>Ledger</source>
    <translation>Libro de cuentas</translation>
  </message>
  <message>
    <source>The ledger's file, as the releases name it.</source>
    <translation>El archivo del libro de cuentas, como lo nombran los mapas.</translation>
  </message>
  <message>
    <source>Data set</source>
    <translation>Conjunto de datos</translation>
  </message>
  <message>
    <source>Only this data set's events; empty: all of them.</source>
    <translation>Solo los apuntes de este conjunto de datos; vacío: todos.</translation>
  </message>
  <message>
    <source>Against this release</source>
    <translation>Frente a este mapa</translation>
  </message>
  <message>
    <source>A release that this ledger must contain: shows that the ledger was not cut or put back.</source>
    <translation>Un mapa que este libro debe contener: muestra que no fue recortado ni devuelto a un estado anterior.</translation>
  </message>
  <message>
    <source>Events</source>
    <translation>Apuntes</translation>
  </message>
  <message>
    <source>A table with an event a row and what remained after it.</source>
    <translation>Una tabla con un apunte por fila y lo que quedó después.</translation>
  </message>
  <message>
    <source>Events as a page</source>
    <translation>Apuntes como página</translation>
  </message>
  <message>
    <source>The same as a page to read.</source>
    <translation>Lo mismo como página para leer.</translation>
  </message>
  <message>
    <source>Budget</source>
    <translation>Presupuesto</translation>
  </message>
  <message>
    <source>Spent on the data set</source>
    <translation>Gastado en el conjunto de datos</translation>
  </message>
  <message>
    <source>What each unit has cost</source>
    <translation>Lo que ha costado cada unidad</translation>
  </message>
  <message>
    <source>Spent without a release</source>
    <translation>Gastado sin mapa</translation>
  </message>
  <message>
    <source>Data set: the ledger has none of this name; leave it empty to see all</source>
    <translation>Conjunto de datos: el libro no tiene ninguno con ese nombre; déjelo vacío para verlos todos</translation>
  </message>
  <message>
    <source>{} of {} remains.</source>
    <translation>Quedan {} de {}.</translation>
  </message>
</context>
<context>
  <name>algorithms/open.py</name>
  <message>
    <source>Open a release</source>
    <translation>Abrir un mapa</translation>
  </message>
  <message>
    <source>Reads a release.dpmap, your own or a stranger's, and shows its places and cells with their style, statement and promise.

It costs nothing and changes nothing in the release. The layers are made of release.dpmap itself: those that lie beside a stranger's release may hold other numbers, and a style that runs a stranger's code.</source>
    <translation>Lee un release.dpmap, propio o ajeno, y muestra sus lugares y celdas con su estilo, declaración y promesa.

No cuesta nada y no cambia nada del mapa. Las capas se hacen del propio release.dpmap: las que están junto a un mapa ajeno pueden tener otros números, y un estilo que ejecute código ajeno.</translation>
  </message>
  <message>
    <source>New folder for its layers</source>
    <translation>Carpeta nueva para sus capas</translation>
  </message>
  <message>
    <source>Where the layers are written. Name a folder beside your project to keep them: QGIS clears its temporary folder when it ends.</source>
    <translation>Dónde se escriben las capas. Indique una carpeta junto a su proyecto para conservarlas: QGIS vacía su carpeta temporal al terminar.</translation>
  </message>
  <message>
    <source>Places</source>
    <translation>Lugares</translation>
  </message>
  <message>
    <source>Promise</source>
    <translation>Promesa</translation>
  </message>
</context>
<context>
  <name>algorithms/plan.py</name>
  <message>
    <source>Square cells, like 1 km or 0.1 deg. Leave it and the grid empty to have a size recommended.</source>
    <translation>Celdas cuadradas, como 1 km o 0.1 deg. Deje esto y la cuadrícula vacíos para que se recomiende un tamaño.</translation>
  </message>
  <message>
    <source>or an official grid</source>
    <translation>o una cuadrícula oficial</translation>
  </message>
  <message>
    <source>The cells of an official grid, by its name: eea-10km, os-hectad, qdgc.</source>
    <translation>Las celdas de una cuadrícula oficial, por su nombre: eea-10km, os-hectad, qdgc.</translation>
  </message>
  <message>
    <source>or a country as area</source>
    <translation>o un país como área</translation>
  </message>
  <message>
    <source>A country's English name instead of an area layer, like Kenya.</source>
    <translation>El nombre inglés de un país en vez de una capa del área, como Kenya.</translation>
  </message>
  <message>
    <source>Who is protected, in a word for the plan: observer, nest, household.</source>
    <translation>A quién se protege, en una palabra para el plan: observador, nido, hogar.</translation>
  </message>
  <message>
    <source>Most points one unit adds to the whole map, like 5.</source>
    <translation>Puntos que aporta como máximo una unidad al mapa entero, como 5.</translation>
  </message>
  <message>
    <source>Epsilon</source>
    <translation>Épsilon</translation>
  </message>
  <message>
    <source>How far a map may move the odds about one unit, like 0.5; or leave it out and say which error can be borne.</source>
    <translation>Cuánto puede mover un mapa las probabilidades sobre una unidad, como 0.5; o déjelo y diga qué error se puede aceptar.</translation>
  </message>
  <message>
    <source>Units expected</source>
    <translation>Unidades esperadas</translation>
  </message>
  <message>
    <source>How many units will take part: a guess from what is public, never a count of the survey.</source>
    <translation>Cuántas unidades participarán: una estimación de lo público, nunca un recuento del muestreo.</translation>
  </message>
  <message>
    <source>Most epsilon ever, to say how many such maps it pays for.</source>
    <translation>Máximo de épsilon para siempre, para decir cuántos mapas así paga.</translation>
  </message>
  <message>
    <source>Points of each</source>
    <translation>Puntos de cada una</translation>
  </message>
  <message>
    <source>How many points each unit is expected to add, capped.</source>
    <translation>Cuántos puntos se espera que aporte cada unidad, con el tope.</translation>
  </message>
  <message>
    <source>Spent already</source>
    <translation>Ya gastado</translation>
  </message>
  <message>
    <source>How much of the budget is spent already.</source>
    <translation>Cuánto del presupuesto se ha gastado ya.</translation>
  </message>
  <message>
    <source>Error allowed</source>
    <translation>Error permitido</translation>
  </message>
  <message>
    <source>The standard error allowed in a cell measured by itself, like 5: finds epsilon.</source>
    <translation>El error estándar permitido en una celda medida sola, como 5: halla épsilon.</translation>
  </message>
  <message>
    <source>Large errors allowed</source>
    <translation>Errores grandes permitidos</translation>
  </message>
  <message>
    <source>The largest chance of a large error, like 20:1%: finds epsilon.</source>
    <translation>La mayor probabilidad de un error grande, como 20:1%: halla épsilon.</translation>
  </message>
  <message>
    <source>Points to be told from none</source>
    <translation>Puntos que se distinguen de cero</translation>
  </message>
  <message>
    <source>How many points a cell must hold to be told from none, like 20: finds epsilon.</source>
    <translation>Cuántos puntos debe tener una celda para distinguirse de cero, como 20: halla épsilon.</translation>
  </message>
  <message>
    <source>Zones' intervals</source>
    <translation>Intervalos de las zonas</translation>
  </message>
  <message>
    <source>How far each zone's 90 % interval may reach, like 30% of what is expected in it: finds epsilon.</source>
    <translation>Cuánto puede abarcar el intervalo del 90 % de cada zona, como 30% de lo esperado en ella: halla épsilon.</translation>
  </message>
  <message>
    <source>Delta</source>
    <translation>Delta</translation>
  </message>
  <message>
    <source>The chance that epsilon need not hold, like 1e-6: Gaussian noise.</source>
    <translation>La probabilidad de que épsilon no se cumpla, como 1e-6: ruido gaussiano.</translation>
  </message>
  <message>
    <source>Name in the area</source>
    <translation>Nombre en el área</translation>
  </message>
  <message>
    <source>Only the polygons of the area of which a text holds this name.</source>
    <translation>Solo los polígonos del área en los que un texto contiene este nombre.</translation>
  </message>
  <message>
    <source>CRS of the cells</source>
    <translation>SRC de las celdas</translation>
  </message>
  <message>
    <source>A national grid for the cells, like EPSG:27700.</source>
    <translation>Una cuadrícula nacional para las celdas, como EPSG:27700.</translation>
  </message>
  <message>
    <source>Hexagons</source>
    <translation>Hexágonos</translation>
  </message>
  <message>
    <source>H3 hexagons of this resolution, 0 to 15, instead of squares.</source>
    <translation>Hexágonos H3 de esta resolución, de 0 a 15, en vez de cuadrados.</translation>
  </message>
  <message>
    <source>Plan</source>
    <translation>Planificar</translation>
  </message>
  <message>
    <source>Says what a map would tell before anything is spent: how many places, how large, with which errors.

It costs nothing and reads no survey, only public numbers that you give. Keep the page for a board that has to decide.</source>
    <translation>Dice qué mostraría un mapa antes de gastar nada: cuántos lugares, de qué tamaño, con qué errores.

No cuesta nada y no lee ningún muestreo, solo números públicos que usted da. Guarde la página para la junta que tiene que decidir.</translation>
  </message>
  <message>
    <source>Epsilon of the plan</source>
    <translation>Épsilon del plan</translation>
  </message>
  <message>
    <source>Side of a cell</source>
    <translation>Lado de una celda</translation>
  </message>
  <message>
    <source>How many cells</source>
    <translation>Cuántas celdas</translation>
  </message>
  <message>
    <source>How far a cell's 90 % interval reaches</source>
    <translation>Cuánto abarca el intervalo del 90 % de una celda</translation>
  </message>
  <message>
    <source>Points that are told from none</source>
    <translation>Puntos que se distinguen de cero</translation>
  </message>
  <message>
    <source>Advice</source>
    <translation>Consejo</translation>
  </message>
  <message>
    <source>What the budget holds after it</source>
    <translation>Lo que queda del presupuesto</translation>
  </message>
  <message>
    <source>Plan as JSON</source>
    <translation>Plan en JSON</translation>
  </message>
  <message>
    <source>The study area: a public polygon layer, never drawn around the survey.</source>
    <translation>El área de estudio: una capa pública de polígonos, nunca dibujada alrededor del muestreo.</translation>
  </message>
  <message>
    <source>Project areas, for how far their intervals may reach.</source>
    <translation>Áreas de proyecto, para decir cuánto pueden abarcar sus intervalos.</translation>
  </message>
  <message>
    <source>Readers' maps</source>
    <translation>Mapas de los lectores</translation>
  </message>
  <message>
    <source>A map for each reader, one a line, like public=0.2; leave epsilon out.</source>
    <translation>Un mapa por cada grupo de lectores, uno por línea, como public=0.2; deje épsilon vacío.</translation>
  </message>
  <message>
    <source>Limiter</source>
    <translation>Limitador</translation>
  </message>
  <message>
    <source>How the cap is kept: scale, sample or presence.</source>
    <translation>Cómo se respeta el tope: scale, sample o presence.</translation>
  </message>
  <message>
    <source>One cell for each polygon of the area</source>
    <translation>Una celda por cada polígono del área</translation>
  </message>
  <message>
    <source>The polygons of the area are the cells.</source>
    <translation>Los polígonos del área son las celdas.</translation>
  </message>
  <message>
    <source>Plan as a page</source>
    <translation>Plan como página</translation>
  </message>
  <message>
    <source>A page for whoever decides.</source>
    <translation>Una página para quien decide.</translation>
  </message>
  <message>
    <source>Area: choose a polygon layer, or write a country: one of the two</source>
    <translation>Área: elija una capa de polígonos o escriba un país: uno de los dos</translation>
  </message>
  <message>
    <source>Cap: write the most points one unit adds, like 5</source>
    <translation>Tope: escriba cuántos puntos aporta como máximo una unidad, como 5</translation>
  </message>
  <message>
    <source>Epsilon: write it, like 0.5, or say which error can be borne</source>
    <translation>Épsilon: escríbalo, como 0.5, o diga qué error se puede aceptar</translation>
  </message>
</context>
<context>
  <name>algorithms/verify.py</name>
  <message>
    <source>holds</source>
    <translation>se cumple</translation>
  </message>
  <message>
    <source>does not hold</source>
    <translation>no se cumple</translation>
  </message>
  <message>
    <source>cannot be tried here</source>
    <translation>no se puede probar aquí</translation>
  </message>
  <message>
    <source>Verify dpmap</source>
    <translation>Verificar dpmap</translation>
  </message>
  <message>
    <source>Says where dpmap was found and which version it is, and tries its promise on this machine: the noise, the cap, the ledger, the files.

It reads no survey, spends nothing and changes nothing. Where something does not hold, make no map with this dpmap.</source>
    <translation>Dice dónde se halló dpmap y qué versión es, y pone a prueba su promesa en este equipo: el ruido, el tope, el libro de cuentas, los archivos.

No lee ningún muestreo, no gasta nada y no cambia nada. Si algo no se cumple, no haga ningún mapa con este dpmap.</translation>
  </message>
  <message>
    <source>Every check there is</source>
    <translation>Todas las pruebas que hay</translation>
  </message>
  <message>
    <source>Tries all checks, which takes some minutes. Without it a part is tried, in seconds.</source>
    <translation>Hace todas las pruebas, lo que lleva unos minutos. Si no, se hace una parte, en segundos.</translation>
  </message>
  <message>
    <source>All that was tried holds</source>
    <translation>Todo lo probado se cumple</translation>
  </message>
  <message>
    <source>Version of dpmap</source>
    <translation>Versión de dpmap</translation>
  </message>
  <message>
    <source>Oldest version that can be used</source>
    <translation>Versión más antigua que se puede usar</translation>
  </message>
  <message>
    <source>Where it was found</source>
    <translation>Dónde se halló</translation>
  </message>
  <message>
    <source>In one sentence</source>
    <translation>En una frase</translation>
  </message>
  <message>
    <source>Checks as JSON</source>
    <translation>Pruebas en JSON</translation>
  </message>
  <message>
    <source>looking for dpmap, and trying it</source>
    <translation>buscando dpmap y poniéndolo a prueba</translation>
  </message>
  <message>
    <source>dpmap {} (the oldest that can be used is {}), found at {}: {}</source>
    <translation>dpmap {} (la versión más antigua que se puede usar es {}), hallado aquí ({}): {}</translation>
  </message>
</context>
<context>
  <name>algorithms/zones.py</name>
  <message>
    <source>Ask for zones</source>
    <translation>Consultar zonas</translation>
  </message>
  <message>
    <source>Says how many a released map holds in each of your project areas, each with the interval that holds the truth.

It costs nothing: whatever is asked of a release, as often as you like, spends no epsilon.</source>
    <translation>Dice cuánto contiene un mapa en cada una de sus áreas de proyecto, con el intervalo que contiene la verdad.

No cuesta nada: lo que se consulte de un mapa, cuantas veces quiera, no gasta épsilon.</translation>
  </message>
  <message>
    <source>The polygons that are asked for: project areas, districts, parks. A filter and a selection are honoured.</source>
    <translation>Los polígonos que se consultan: áreas de proyecto, distritos, parques. Se respetan el filtro y la selección.</translation>
  </message>
  <message>
    <source>Answers</source>
    <translation>Respuestas</translation>
  </message>
  <message>
    <source>A layer of the zones with their totals, intervals and notes.</source>
    <translation>Una capa de las zonas con sus totales, intervalos y notas.</translation>
  </message>
  <message>
    <source>Answers as JSON</source>
    <translation>Respuestas en JSON</translation>
  </message>
  <message>
    <source>Zones: choose a polygon layer</source>
    <translation>Zonas: elija una capa de polígonos</translation>
  </message>
</context>
<context>
  <name>command/held.py</name>
  <message>
    <source>another process holds this folder</source>
    <translation>otro proceso ocupa esta carpeta</translation>
  </message>
</context>
<context>
  <name>command/own.py</name>
  <message>
    <source>Stopped: no environment was made, and the earlier one is as it was</source>
    <translation>Detenido: no se creó ningún entorno, y el anterior está como estaba</translation>
  </message>
  <message>
    <source>This names no wheel of dpmap: write the path of a file, or an address that begins with https, that ends in private_heatmaps-VERSION-py3-none-any.whl</source>
    <translation>Esto no nombra ningún wheel de dpmap: escriba la ruta de un archivo, o una dirección que empiece por https, que termine en private_heatmaps-VERSION-py3-none-any.whl</translation>
  </message>
  <message>
    <source>Python could not make an environment: install its package for that (on Debian and Ubuntu: python3-venv)</source>
    <translation>Python no pudo crear un entorno: instale su paquete para ello (en Debian y Ubuntu: python3-venv)</translation>
  </message>
  <message>
    <source>The environment cannot be written: free some room on the disk of QGIS's profile (some 1.5 GB while it is made)</source>
    <translation>No se puede escribir el entorno: libere espacio en el disco del perfil de QGIS (unos 1,5 GB mientras se crea)</translation>
  </message>
</context>
<context>
  <name>command/private.py</name>
  <message>
    <source>no private folder can be made: free some room in the folder for temporary files</source>
    <translation>no se puede crear una carpeta privada: libere espacio en la carpeta de archivos temporales</translation>
  </message>
</context>
<context>
  <name>command/wheels.py</name>
  <message>
    <source>This is no zip that can be read: choose the one that `make wheelhouse` made</source>
    <translation>Este zip no se puede leer: elija el que hizo `make wheelhouse`</translation>
  </message>
  <message>
    <source>This zip holds more than it says: get it again</source>
    <translation>Este zip contiene más de lo que dice: obténgalo de nuevo</translation>
  </message>
  <message>
    <source>This zip is damaged: get it again</source>
    <translation>Este zip está dañado: obténgalo de nuevo</translation>
  </message>
  <message>
    <source>This zip holds two files of one name: get it again</source>
    <translation>Este zip contiene dos archivos del mismo nombre: obténgalo de nuevo</translation>
  </message>
  <message>
    <source>The wheels cannot be unpacked: free some room on the disk of QGIS's profile</source>
    <translation>No se pueden desempaquetar los wheels: libere espacio en el disco del perfil de QGIS</translation>
  </message>
  <message>
    <source>This is not a zip of wheels for dpmap: choose the one that `make wheelhouse` made</source>
    <translation>No es un zip de wheels para dpmap: elija el que hizo `make wheelhouse`</translation>
  </message>
  <message>
    <source>This zip is too large to be dpmap's: choose the one that `make wheelhouse` made</source>
    <translation>Este zip es demasiado grande para ser de dpmap: elija el que hizo `make wheelhouse`</translation>
  </message>
  <message>
    <source>This zip holds no dpmap, or more than one: choose the one that `make wheelhouse` made</source>
    <translation>Este zip no contiene dpmap, o más de uno: elija el que hizo `make wheelhouse`</translation>
  </message>
  <message>
    <source>This zip holds something that is no wheel: choose the one that `make wheelhouse` made</source>
    <translation>Este zip contiene algo que no es un wheel: elija el que hizo `make wheelhouse`</translation>
  </message>
</context>
<context>
  <name>options/page.py</name>
  <message>
    <source>Wiping what is no longer used</source>
    <translation>Borrando lo que ya no se usa</translation>
  </message>
  <message>
    <source>The dpmap that is used</source>
    <translation>El dpmap que se usa</translation>
  </message>
  <message>
    <source>QGIS asks a program called dpmap for every private map. Leave this empty to let it be found.</source>
    <translation>QGIS consulta un programa llamado dpmap para cada mapa privado. Déjelo vacío para que se busque.</translation>
  </message>
  <message>
    <source>Choose the program dpmap</source>
    <translation>Elegir el programa dpmap</translation>
  </message>
  <message>
    <source>the program, or the folder of a Python environment</source>
    <translation>el programa, o la carpeta de un entorno de Python</translation>
  </message>
  <message>
    <source>The path of the program dpmap, or of the folder of a Python environment in which it is</source>
    <translation>La ruta del programa dpmap, o de la carpeta de un entorno de Python donde está</translation>
  </message>
  <message>
    <source>No dpmap on this machine?</source>
    <translation>¿No hay dpmap en este equipo?</translation>
  </message>
  <message>
    <source>It is made here from a zip of wheels, without a network and apart from QGIS's own Python. Whoever builds dpmap makes this zip with make wheelhouse.</source>
    <translation>Se crea aquí a partir de un zip de wheels, sin red y aparte del Python de QGIS. Quien construye dpmap hace ese zip con make wheelhouse.</translation>
  </message>
  <message>
    <source>Make it from a zip of wheels...</source>
    <translation>Crearlo desde un zip de wheels...</translation>
  </message>
  <message>
    <source>Download what it needs...</source>
    <translation>Descargar lo que necesita...</translation>
  </message>
  <message>
    <source>Does it keep its promise?</source>
    <translation>¿Cumple lo que promete?</translation>
  </message>
  <message>
    <source>The selftest checks noise, cap and ledger on this machine. It reads no survey and spends nothing.</source>
    <translation>La autoprueba comprueba ruido, tope y libro de cuentas en este equipo. No lee ningún muestreo y no gasta nada.</translation>
  </message>
  <message>
    <source>Verify quickly</source>
    <translation>Verificar rápido</translation>
  </message>
  <message>
    <source>Verify all of it (some minutes)</source>
    <translation>Verificarlo todo (unos minutos)</translation>
  </message>
  <message>
    <source>Stop</source>
    <translation>Detener</translation>
  </message>
  <message>
    <source>Looking...</source>
    <translation>Buscando...</translation>
  </message>
  <message>
    <source>Looking for dpmap</source>
    <translation>Buscando dpmap</translation>
  </message>
  <message>
    <source>Choose the zip of wheels</source>
    <translation>Elegir el zip de wheels</translation>
  </message>
  <message>
    <source>Zip of wheels (*.zip)</source>
    <translation>Zip de wheels (*.zip)</translation>
  </message>
  <message>
    <source>This zip holds dpmap {version}, {number} wheels. They are programs that will run on this machine: go on only if you trust who gave it to you.</source>
    <translation>Este zip contiene dpmap {version}, {number} wheels. Son programas que se ejecutarán en este equipo: siga solo si confía en quien se lo dio.</translation>
  </message>
  <message>
    <source>Making dpmap</source>
    <translation>Creando dpmap</translation>
  </message>
  <message>
    <source>Where is dpmap's wheel? Write the path of the file private_heatmaps-VERSION-py3-none-any.whl that you were given, or its address (https://...)</source>
    <translation>¿Dónde está el wheel de dpmap? Escriba la ruta del archivo private_heatmaps-VERSION-py3-none-any.whl que le dieron, o su dirección (https://...)</translation>
  </message>
  <message>
    <source>dpmap is taken from there, and the libraries that it needs, some 300 MB, from the index that pip is set to on this machine. They are programs that will run on it, apart from QGIS: go on only if you trust who gave you the wheel. Nothing of yours is sent. Where a company has its own index or proxy, pip's settings say so. Go on?</source>
    <translation>dpmap se toma de ahí, y las bibliotecas que necesita, unos 300 MB, del índice al que está ajustado pip en este equipo. Son programas que se ejecutarán en él, aparte de QGIS: siga solo si confía en quien le dio el wheel. No se envía nada suyo. Si una empresa tiene su propio índice o proxy, lo dicen los ajustes de pip. ¿Seguir?</translation>
  </message>
  <message>
    <source>Downloading what dpmap needs</source>
    <translation>Descargando lo que dpmap necesita</translation>
  </message>
  <message>
    <source>Verifying dpmap</source>
    <translation>Verificando dpmap</translation>
  </message>
  <message>
    <source>dpmap is made. Verify it now.</source>
    <translation>dpmap está listo. Verifíquelo ahora.</translation>
  </message>
  <message>
    <source>Stopped</source>
    <translation>Detenido</translation>
  </message>
  <message>
    <source>Found through {where}: dpmap {version}, {minimum} or newer is needed.</source>
    <translation>Encontrado por {where}: dpmap {version}; se necesita {minimum} o posterior.</translation>
  </message>
  <message>
    <source>dpmap {version}, {minimum} or newer is needed</source>
    <translation>dpmap {version}; se necesita {minimum} o posterior</translation>
  </message>
</context>
<context>
  <name>options/work.py</name>
  <message>
    <source>This failed ({kind}): please report it</source>
    <translation>Esto falló ({kind}): por favor, comuníquelo</translation>
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
    <translation>no se pudo iniciar dpmap; verifíquelo en la configuración</translation>
  </message>
  <message>
    <source>stopped; ask again to have an answer</source>
    <translation>detenido; pregunte otra vez para tener respuesta</translation>
  </message>
</context>
<context>
  <name>panel/dock.py</name>
  <message>
    <source>dpmap: private maps</source>
    <translation>dpmap: mapas privados</translation>
  </message>
  <message>
    <source>reading a release</source>
    <translation>leyendo un mapa</translation>
  </message>
  <message>
    <source>dpmap gave no answer that can be read</source>
    <translation>dpmap no dio una respuesta legible</translation>
  </message>
</context>
<context>
  <name>panel/doing.py</name>
  <message>
    <source>QGIS has Processing switched off: switch it on in Plugins, Manage and Install Plugins.</source>
    <translation>QGIS tiene Processing desactivado: actívelo en Complementos, Administrar e instalar complementos.</translation>
  </message>
  <message>
    <source>Make and export</source>
    <translation>Hacer y exportar</translation>
  </message>
  <message>
    <source>Private heatmap...</source>
    <translation>Mapa de calor privado...</translation>
  </message>
  <message>
    <source>Makes a private map of a layer of points</source>
    <translation>Hace un mapa privado de una capa de puntos</translation>
  </message>
  <message>
    <source>All algorithms</source>
    <translation>Todos los algoritmos</translation>
  </message>
</context>
<context>
  <name>panel/hung.py</name>
  <message>
    <source>Panel of private maps</source>
    <translation>Panel de mapas privados</translation>
  </message>
  <message>
    <source>Ask a place of a private map</source>
    <translation>Consultar un lugar de un mapa privado</translation>
  </message>
  <message>
    <source>Draw a zone on a private map</source>
    <translation>Dibujar una zona en un mapa privado</translation>
  </message>
</context>
<context>
  <name>panel/kept.py</name>
  <message>
    <source>zones asked</source>
    <translation>zonas consultadas</translation>
  </message>
</context>
<context>
  <name>panel/ledger_section.py</name>
  <message>
    <source>What remains</source>
    <translation>Lo que queda</translation>
  </message>
  <message>
    <source>found beside the release</source>
    <translation>hallado junto al mapa</translation>
  </message>
  <message>
    <source>Ledger:</source>
    <translation>Libro de cuentas:</translation>
  </message>
  <message>
    <source>Part of the budget that is spent</source>
    <translation>Parte gastada del presupuesto</translation>
  </message>
  <message>
    <source>What was spent</source>
    <translation>Lo que se gastó</translation>
  </message>
  <message>
    <source>Where the ledger is</source>
    <translation>Dónde está el libro de cuentas</translation>
  </message>
  <message>
    <source>Refresh</source>
    <translation>Actualizar</translation>
  </message>
  <message>
    <source>Reads the ledger anew</source>
    <translation>Lee de nuevo el libro de cuentas</translation>
  </message>
  <message>
    <source>Choose...</source>
    <translation>Elegir...</translation>
  </message>
  <message>
    <source>Chooses the ledger's file</source>
    <translation>Elige el archivo del libro de cuentas</translation>
  </message>
  <message>
    <source>No ledger is chosen, and none stands beside the release. Choose its file to see what remains.</source>
    <translation>No hay libro de cuentas elegido, ni lo hay junto al mapa. Elija su archivo para ver lo que queda.</translation>
  </message>
  <message>
    <source>The ledger of this project.</source>
    <translation>El libro de cuentas de este proyecto.</translation>
  </message>
  <message>
    <source>No ledger that was asked beside the release paid for it. Choose its file to see what remains.</source>
    <translation>Ninguno de los libros de cuentas que hay junto al mapa lo pagó. Elija el archivo del suyo para ver lo que queda.</translation>
  </message>
  <message>
    <source>Found beside the release, which it paid for: {}</source>
    <translation>Hallado junto al mapa que se pagó con él: {}</translation>
  </message>
  <message>
    <source>Reading the ledger...</source>
    <translation>Leyendo el libro de cuentas...</translation>
  </message>
  <message>
    <source>reading a ledger</source>
    <translation>leyendo un libro de cuentas</translation>
  </message>
  <message>
    <source>The ledger</source>
    <translation>El libro de cuentas</translation>
  </message>
  <message>
    <source>Ledgers (*.ledger);;All files (*)</source>
    <translation>Libros de cuentas (*.ledger);;Todos los archivos (*)</translation>
  </message>
</context>
<context>
  <name>panel/missing.py</name>
  <message>
    <source>dpmap cannot be used</source>
    <translation>no se puede usar dpmap</translation>
  </message>
  <message>
    <source>Settings</source>
    <translation>Configuración</translation>
  </message>
  <message>
    <source>Opens where dpmap's program is chosen and verified</source>
    <translation>Abre donde se elige y verifica el programa dpmap</translation>
  </message>
  <message>
    <source>Look again</source>
    <translation>Buscar otra vez</translation>
  </message>
  <message>
    <source>Looks for dpmap anew</source>
    <translation>Busca dpmap de nuevo</translation>
  </message>
</context>
<context>
  <name>panel/place.py</name>
  <message>
    <source>Place {}</source>
    <translation>Lugar {}</translation>
  </message>
  <message>
    <source>Cell {}</source>
    <translation>Celda {}</translation>
  </message>
  <message>
    <source>How it lies within this place is not known.</source>
    <translation>No se sabe cómo se reparte dentro de este lugar.</translation>
  </message>
  <message>
    <source>Its total is not distinguishable from none; this does not mean that nothing is there.</source>
    <translation>Su total no se distingue de cero; eso no significa que no haya nada.</translation>
  </message>
  <message>
    <source>Code: {}</source>
    <translation>Código: {}</translation>
  </message>
  <message>
    <source>On the map it has the colour of place {}: {}</source>
    <translation>En el mapa tiene el color del lugar {}: {}</translation>
  </message>
  <message>
    <source>On the map: {}</source>
    <translation>En el mapa: {}</translation>
  </message>
  <message>
    <source>capped: the release's statement says for how much each unit counts at most</source>
    <translation>con tope: la declaración del mapa dice cuánto cuenta como máximo cada unidad</translation>
  </message>
  <message>
    <source>points</source>
    <translation>puntos</translation>
  </message>
  <message>
    <source>90 % interval: {}</source>
    <translation>Intervalo del 90 %: {}</translation>
  </message>
  <message>
    <source>cannot be told</source>
    <translation>no se puede saber</translation>
  </message>
  <message>
    <source>not distinguishable from none</source>
    <translation>no se distingue de cero</translation>
  </message>
  <message>
    <source>at most {} {}</source>
    <translation>como máximo {} {}</translation>
  </message>
  <message>
    <source>mean</source>
    <translation>media</translation>
  </message>
  <message>
    <source>told of {} {}</source>
    <translation>a partir de {} {}</translation>
  </message>
  <message>
    <source>cannot be told: too little was counted here to tell a mean</source>
    <translation>no se puede saber: aquí se contó demasiado poco para dar una media</translation>
  </message>
  <message>
    <source>cell</source>
    <translation>celda</translation>
  </message>
  <message>
    <source>cells</source>
    <translation>celdas</translation>
  </message>
</context>
<context>
  <name>panel/place_section.py</name>
  <message>
    <source>Click on a place of the map. By keyboard: move the map with the arrow keys, then ask its middle.</source>
    <translation>Haga clic en un lugar del mapa. Con el teclado: mueva el mapa con las flechas y consulte su centro.</translation>
  </message>
  <message>
    <source>Add the layers of a release to the map, like those of cells.gpkg.</source>
    <translation>Añada las capas de un mapa, como las de cells.gpkg.</translation>
  </message>
  <message>
    <source>A place is asked of the layers patches or cells in cells.gpkg: tick one of them. A picture alone cannot be asked; zones can.</source>
    <translation>Un lugar se consulta en las capas patches o cells de cells.gpkg: marque una de ellas. Una imagen sola no se puede consultar; las zonas sí.</translation>
  </message>
  <message>
    <source>What a place holds</source>
    <translation>Lo que contiene un lugar</translation>
  </message>
  <message>
    <source>Ask a place</source>
    <translation>Consultar un lugar</translation>
  </message>
  <message>
    <source>Then click on the map</source>
    <translation>Después, haga clic en el mapa</translation>
  </message>
  <message>
    <source>Ask the middle</source>
    <translation>Consultar el centro</translation>
  </message>
  <message>
    <source>Asks without a mouse</source>
    <translation>Consulta sin ratón</translation>
  </message>
  <message>
    <source>Place</source>
    <translation>Lugar</translation>
  </message>
  <message>
    <source>What the place holds</source>
    <translation>Lo que contiene el lugar</translation>
  </message>
  <message>
    <source>No layer that can be asked is shown.</source>
    <translation>No se muestra ninguna capa que se pueda consultar.</translation>
  </message>
  <message>
    <source>Outside the map</source>
    <translation>Fuera del mapa</translation>
  </message>
  <message>
    <source>The release tells nothing of this place; this does not mean that nothing is there.</source>
    <translation>El mapa no dice nada de este lugar; eso no significa que no haya nada.</translation>
  </message>
  <message>
    <source>Layer: {}</source>
    <translation>Capa: {}</translation>
  </message>
</context>
<context>
  <name>panel/promise.py</name>
  <message>
    <source>Expired: its last day of use was {}. Ask who authorised it before you use it.</source>
    <translation>Caducado: su último día de uso fue {}. Pregunte a quien lo autorizó antes de usarlo.</translation>
  </message>
  <message>
    <source>Authorised by: {}</source>
    <translation>Autorizado por: {}</translation>
  </message>
  <message>
    <source>not declared</source>
    <translation>no declarado</translation>
  </message>
  <message>
    <source>Purpose: {}</source>
    <translation>Finalidad: {}</translation>
  </message>
  <message>
    <source>Last day of use: {}</source>
    <translation>Último día de uso: {}</translation>
  </message>
  <message>
    <source>Local Contexts labels: {}</source>
    <translation>Etiquetas de Local Contexts: {}</translation>
  </message>
</context>
<context>
  <name>panel/release_section.py</name>
  <message>
    <source>Choose a layer of a release in the Layers panel: one of cells.gpkg, which dpmap writes beside release.dpmap.</source>
    <translation>Elija una capa de un mapa en el panel Capas: una de cells.gpkg, que dpmap escribe junto a release.dpmap.</translation>
  </message>
  <message>
    <source>The map's promise</source>
    <translation>La promesa del mapa</translation>
  </message>
  <message>
    <source>The promise</source>
    <translation>La promesa</translation>
  </message>
  <message>
    <source>Opens {} of the release's folder</source>
    <translation>Abre {} de la carpeta del mapa</translation>
  </message>
  <message>
    <source>Folder</source>
    <translation>Carpeta</translation>
  </message>
  <message>
    <source>Opens the release's folder</source>
    <translation>Abre la carpeta del mapa</translation>
  </message>
  <message>
    <source>Print layout</source>
    <translation>Diseño de impresión</translation>
  </message>
  <message>
    <source>Makes a page to print, with the promise</source>
    <translation>Hace una página para imprimir, con la promesa</translation>
  </message>
  <message>
    <source>No release is chosen.</source>
    <translation>No hay ningún mapa elegido.</translation>
  </message>
  <message>
    <source>Reading the release...</source>
    <translation>Leyendo el mapa...</translation>
  </message>
  <message>
    <source>{} is not in the release's folder any more</source>
    <translation>{} ya no está en la carpeta del mapa</translation>
  </message>
</context>
<context>
  <name>panel/releases.py</name>
  <message>
    <source>Attestation</source>
    <translation>Certificación</translation>
  </message>
  <message>
    <source>The protected</source>
    <translation>Para los protegidos</translation>
  </message>
  <message>
    <source>Map page</source>
    <translation>Página del mapa</translation>
  </message>
</context>
<context>
  <name>panel/remains.py</name>
  <message>
    <source>{} of {} remains; {} is spent</source>
    <translation>Quedan {} de {}; gastado: {}</translation>
  </message>
  <message>
    <source>delta: {} of {} remains</source>
    <translation>delta: quedan {} de {}</translation>
  </message>
  <message>
    <source>1 release</source>
    <translation>1 mapa</translation>
  </message>
  <message>
    <source>{} releases</source>
    <translation>{} mapas</translation>
  </message>
  <message>
    <source>{}: {}, epsilon {} spent</source>
    <translation>{}: {}, épsilon {} gastado</translation>
  </message>
  <message>
    <source>, the last on {}</source>
    <translation>, el último el {}</translation>
  </message>
  <message>
    <source>; the plan allows {} next</source>
    <translation>; el plan permite {} para el siguiente</translation>
  </message>
  <message>
    <source>Spent without a map: {} for {} on {} (unless one is being made now)</source>
    <translation>Gastado sin mapa: {} para {} el {} (salvo que se esté haciendo uno ahora)</translation>
  </message>
  <message>
    <source>The plan: {} for {} releases, {} of it used</source>
    <translation>El plan: {} para {} mapas, {} ya usado</translation>
  </message>
  <message>
    <source>; it leaves nothing for a data set without a release yet</source>
    <translation>; no deja nada para un conjunto de datos aún sin mapa</translation>
  </message>
  <message>
    <source>; a data set without a release yet may take {}</source>
    <translation>; un conjunto de datos aún sin mapa puede tomar {}</translation>
  </message>
  <message>
    <source>No release was made yet.</source>
    <translation>Todavía no se ha hecho ningún mapa.</translation>
  </message>
  <message>
    <source>The last releases:</source>
    <translation>Los últimos mapas:</translation>
  </message>
  <message>
    <source>{}: {}, epsilon {}; {} remained</source>
    <translation>{}: {}, épsilon {}; quedó {}</translation>
  </message>
</context>
<context>
  <name>panel/zone_section.py</name>
  <message>
    <source>Draw the area of a project, or ask for features that are selected. Asking costs nothing.</source>
    <translation>Dibuje el área de un proyecto, o consulte objetos seleccionados. Consultar no cuesta nada.</translation>
  </message>
  <message>
    <source>What a zone holds</source>
    <translation>Lo que contiene una zona</translation>
  </message>
  <message>
    <source>Draw a zone</source>
    <translation>Dibujar una zona</translation>
  </message>
  <message>
    <source>Left click adds a point, right click ends, Backspace takes a point back, Esc starts anew</source>
    <translation>El clic izquierdo añade un punto, el derecho termina, Retroceso quita un punto, Esc empieza de nuevo</translation>
  </message>
  <message>
    <source>Ask for what is shown</source>
    <translation>Consultar lo que se ve</translation>
  </message>
  <message>
    <source>Layer with selected features</source>
    <translation>Capa con objetos seleccionados</translation>
  </message>
  <message>
    <source>Selected features of:</source>
    <translation>Objetos seleccionados de:</translation>
  </message>
  <message>
    <source>Ask for the selected</source>
    <translation>Consultar los seleccionados</translation>
  </message>
  <message>
    <source>Asks for the selected features</source>
    <translation>Consulta los objetos seleccionados</translation>
  </message>
  <message>
    <source>What the zone holds</source>
    <translation>Lo que contiene la zona</translation>
  </message>
  <message>
    <source>What the numbers are</source>
    <translation>Qué son los números</translation>
  </message>
  <message>
    <source>Keep as a layer</source>
    <translation>Guardar como capa</translation>
  </message>
  <message>
    <source>Adds the zones with their answers to the project</source>
    <translation>Añade al proyecto las zonas con sus respuestas</translation>
  </message>
  <message>
    <source>{} points. Right click or Enter ends, Backspace takes a point back, Esc starts anew.</source>
    <translation>{} puntos. El clic derecho o Intro termina, Retroceso quita un punto, Esc empieza de nuevo.</translation>
  </message>
  <message>
    <source>A zone needs three points or more; so far {}.</source>
    <translation>Una zona necesita al menos tres puntos; por ahora, {}.</translation>
  </message>
  <message>
    <source>No feature of this layer is selected; select those to ask for.</source>
    <translation>Esta capa no tiene objetos seleccionados; seleccione los que quiera consultar.</translation>
  </message>
  <message>
    <source>More than {} are selected; ask with the algorithm for zones in the toolbox.</source>
    <translation>Hay más de {} seleccionados; consulte con el algoritmo de zonas de la caja de herramientas.</translation>
  </message>
  <message>
    <source>No release is chosen: choose one of its layers in the Layers panel.</source>
    <translation>No hay ningún mapa elegido: elija una de sus capas en el panel Capas.</translation>
  </message>
  <message>
    <source>The release is still being read; ask again in a moment.</source>
    <translation>El mapa aún se está leyendo; pregunte otra vez en un momento.</translation>
  </message>
  <message>
    <source>The zone has no CRS; set one for the layer, or for the project.</source>
    <translation>La zona no tiene SRC; defina uno para la capa o el proyecto.</translation>
  </message>
  <message>
    <source>There is no area in what was chosen.</source>
    <translation>No hay ningún área en lo elegido.</translation>
  </message>
  <message>
    <source>Asking...</source>
    <translation>Consultando...</translation>
  </message>
  <message>
    <source>The zone lies where its CRS cannot be turned into degrees; draw it nearer to the map.</source>
    <translation>La zona está donde su SRC no se puede pasar a grados; dibújela más cerca del mapa.</translation>
  </message>
  <message>
    <source>asking for a zone</source>
    <translation>consultando una zona</translation>
  </message>
  <message>
    <source>The zone's edge crosses itself: all that it encloses was counted. Draw it anew if that is not meant.</source>
    <translation>El borde de la zona se cruza: se contó todo lo que encierra. Dibújela de nuevo si no es lo que quiere.</translation>
  </message>
</context>
<context>
  <name>panel/zones_said.py</name>
  <message>
    <source>Zone {}</source>
    <translation>Zona {}</translation>
  </message>
  <message>
    <source>... and {} more: keep them as a layer to see all</source>
    <translation>... y {} más: guárdelas como capa para verlas todas</translation>
  </message>
  <message>
    <source>, {} % of it in the map</source>
    <translation>, {} % de ella en el mapa</translation>
  </message>
  <message>
    <source>{} % interval: {}</source>
    <translation>Intervalo del {} %: {}</translation>
  </message>
  <message>
    <source>wherever they lie in the cells that its edge cuts: {}</source>
    <translation>estén donde estén en las celdas que corta su borde: {}</translation>
  </message>
</context>
<context>
  <name>rows/asking.py</name>
  <message>
    <source>a filter in QGIS</source>
    <translation>un filtro en QGIS</translation>
  </message>
  <message>
    <source>a selection in QGIS</source>
    <translation>una selección en QGIS</translation>
  </message>
  <message>
    <source>a join or a computed column in QGIS</source>
    <translation>una unión o una columna calculada en QGIS</translation>
  </message>
</context>
<context>
  <name>rows/polygons.py</name>
  <message>
    <source>{}: this layer cannot be read; choose a polygon layer</source>
    <translation>{}: esta capa no se puede leer; elija una capa de polígonos</translation>
  </message>
  <message>
    <source>{}: the layer has no CRS; set one in its properties</source>
    <translation>{}: la capa no tiene SRC; defina uno en sus propiedades</translation>
  </message>
  <message>
    <source>{}: no copy of the layer could be written; is the disk full?</source>
    <translation>{}: no se pudo escribir una copia de la capa; ¿está lleno el disco?</translation>
  </message>
</context>
<context>
  <name>rows/streaming.py</name>
  <message>
    <source>Survey layer: it changed while it was read, or could not be read to its end; nothing was spent. Try again when nothing writes into it</source>
    <translation>Capa del muestreo: cambió mientras se leía, o no se pudo leer hasta el final; no se gastó nada. Inténtelo otra vez cuando nada escriba en ella</translation>
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
    <translation>privacidad diferencial</translation>
  </message>
  <message>
    <source>heatmap</source>
    <translation>mapa de calor</translation>
  </message>
  <message>
    <source>Authorised by</source>
    <translation>Autorizado por</translation>
  </message>
  <message>
    <source>Purpose</source>
    <translation>Finalidad</translation>
  </message>
  <message>
    <source>Not to be used after</source>
    <translation>No usar después de</translation>
  </message>
  <message>
    <source>Made with noise added on purpose; no point was moved, and none is shown.</source>
    <translation>Hecho con ruido añadido a propósito; no se movió ningún punto, y no se muestra ninguno.</translation>
  </message>
</context>
<context>
  <name>shown/layers.py</name>
  <message>
    <source>Raster</source>
    <translation>Ráster</translation>
  </message>
</context>
<context>
  <name>shown/layout.py</name>
  <message>
    <source>This layer is not one of dpmap's: open a release, then choose one of its layers</source>
    <translation>Esta capa no es de dpmap: abra un mapa y elija una de sus capas</translation>
  </message>
  <message>
    <source>A private map</source>
    <translation>Un mapa privado</translation>
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
    <translation>los lugares más pequeños cuyo valor se puede saber</translation>
  </message>
  <message>
    <source>cell by cell, as sure as noise allows</source>
    <translation>celda por celda, con la certeza que permite el ruido</translation>
  </message>
  <message>
    <source>not told: noise hides what is there. It is not empty land.</source>
    <translation>no se sabe: el ruido oculta lo que hay. No es terreno vacío.</translation>
  </message>
  <message>
    <source>Cells of one place are told together: how they differ is not known.</source>
    <translation>Las celdas de un lugar se dan juntas: no se sabe en qué difieren.</translation>
  </message>
  <message>
    <source>A number is the estimate for its whole place; some are left out where they would overlap.</source>
    <translation>Un número es la estimación de todo su lugar; algunos se omiten donde se solaparían.</translation>
  </message>
  <message>
    <source>Made</source>
    <translation>Hecho</translation>
  </message>
  <message>
    <source>release</source>
    <translation>mapa</translation>
  </message>
  <message>
    <source>The whole promise, and what it does not protect: statement.md beside</source>
    <translation>La promesa entera, y lo que no protege: statement.md junto a</translation>
  </message>
  <message>
    <source>The template cannot be read: choose another .qpt file</source>
    <translation>La plantilla no se puede leer: elija otro archivo .qpt</translation>
  </message>
  <message>
    <source>The template is not one of QGIS: choose another .qpt file</source>
    <translation>La plantilla no es de QGIS: elija otro archivo .qpt</translation>
  </message>
</context>
</TS>
