"""Advice on the EPSG code of a coordinate reference system, from its common name."""

import re

LOOK_UP = (
    "write its EPSG code, like EPSG:27700; a GIS shows it among a layer's properties, and epsg.org"
    " finds it by the system's name"
)
"""What to do where no name is known here."""

NAMES = {
    "irishtransversemercator|^itm$": "EPSG:2157 (Irish Transverse Mercator)",
    "irish|ireland": "EPSG:29903 (Irish Grid), or EPSG:2157 (Irish Transverse Mercator)",
    "british|osgb|^bng$|ordnancesurvey|^nationalgrid$": "EPSG:27700 (British National Grid)",
    "lambert93|rgf93": "EPSG:2154 (Lambert-93)",
    "lv95|ch1903\\+|swiss|schweiz": "EPSG:2056 (Swiss LV95), or EPSG:21781 (the older LV03)",
    "lv03|ch1903": "EPSG:21781 (Swiss LV03), or EPSG:2056 (the newer LV95)",
    "rijksdriehoek|amersfoort|^rdnew$": "EPSG:28992 (Dutch RD New)",
    "sweref": "EPSG:3006 (SWEREF99 TM)",
    "tm35fin": "EPSG:3067 (ETRS-TM35FIN)",
    "lambert72": "EPSG:31370 (Belgian Lambert 72)",
    "lambert2008": "EPSG:3812 (Belgian Lambert 2008)",
    "laea": "EPSG:3035 (ETRS89 LAEA Europe)",
    "nztm|newzealand": "EPSG:2193 (NZTM2000)",
    "webmercator|googlemercator|pseudomercator": "EPSG:3857 (Web Mercator)",
    "wgs|gps|lat|lon|degree|grad": "EPSG:4326 (degrees, WGS 84)",
}
"""Names without blanks and marks, as patterns, the narrower ones first, and what to write."""


def advice(text: str) -> str:
    """Returns what to write instead of a name: the code where it is known, else how to look it up.

    >>> advice("UTM zone 32N")
    'write EPSG:32632 for UTM zone 32 north (WGS 84), or EPSG:25832 where it is in ETRS89'
    >>> advice("Irish Transverse Mercator")
    'write EPSG:2157 (Irish Transverse Mercator)'
    """
    short = re.sub(r"[^a-z0-9+]", "", text.lower())
    hint = _utm(text) or _gauss_krueger(short)
    if not hint:
        hint = next(
            (f"write {code}" for names, code in NAMES.items() if re.search(names, short)), ""
        )
    return hint or LOOK_UP


def _utm(text: str) -> str:
    """Returns the codes of a zone of UTM; of its letter only S (and a band below the equator, as
    in 36M) says south.
    """
    match = re.search(r"utm\D*?(\d{1,2})\s*([a-z]*)", text.lower())
    if not match or not 1 <= int(match[1]) <= 60:
        return ""
    zone = int(match[1])
    letter = match[2][:1]
    south = letter == "s" or "c" <= letter <= "m"
    named = f"UTM zone {zone} {'south' if south else 'north'}"
    if south:
        return f"write EPSG:327{zone:02} for {named} (WGS 84)"
    codes = {f"EPSG:326{zone:02}": "WGS 84"}
    if 28 <= zone <= 38:
        codes[f"EPSG:258{zone:02}"] = "ETRS89"
    if zone <= 23:
        codes[f"EPSG:269{zone:02}"] = "NAD83"
    typed = re.sub(r"[^a-z0-9]", "", text.lower())
    (first, system), *others = sorted(codes.items(), key=lambda code: code[1].lower() not in typed)
    return f"write {first} for {named} ({system})" + "".join(
        f", or {code} where it is in {its}" for code, its in others
    )


def _gauss_krueger(short: str) -> str:
    """Returns the code of a zone of the German Gauss-Krueger grids."""
    match = re.search(r"gau(?:ss|\u00df)?kr.{0,2}ger\D*([2-5])", short)
    return f"write EPSG:{31464 + int(match[1])} (Gauss-Krueger zone {match[1]})" if match else ""
