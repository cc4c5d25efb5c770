<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
  <name>algorithms/ledger.py</name>
  <message>
    <source>Read the ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Verifies a ledger and says what was spent and what remains. It changes nothing.</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Ledger</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>Budget</source>
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
</context>
<context>
  <name>command/finding.py</name>
  <message>
    <source>dpmap is not where the settings say: choose its program again under Settings &gt; Options &gt; dpmap</source>
    <translation type="unfinished"></translation>
  </message>
  <message>
    <source>dpmap is not on this machine, or not found: choose its program under Settings &gt; Options &gt; dpmap</source>
    <translation type="unfinished"></translation>
  </message>
</context>
</TS>
