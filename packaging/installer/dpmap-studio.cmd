@echo off
rem Starts the studio in a window that stays open, so that its address and any error are seen.
chcp 65001 >nul
title dpmap studio
"%~dp0dpmap.exe" studio --home
echo.
echo The studio has ended.
pause
