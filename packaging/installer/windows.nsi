; The installer of dpmap for Windows, for one user, so that nobody needs an administrator. build.py gives VERSION, BUNDLE (the folder of the program) and OUT:
;   makensis /DVERSION=0.3.0 /DBUNDLE=build\installer\bundle\dpmap /DOUT=dpmap.exe windows.nsi
Unicode true
!ifdef NSIS_WIN32_MAKENSIS
  !define SLASH "\"
!else
  !define SLASH "/"
!endif
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
Name "dpmap ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\dpmap"
InstallDirRegKey HKCU "Software\dpmap" "Folder"

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "x64.nsh"
!define MUI_ICON "${__FILEDIR__}${SLASH}icon.ico"
!define MUI_UNICON "${__FILEDIR__}${SLASH}icon.ico"
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_FUNCTION OpenStudio
!define MUI_FINISHPAGE_RUN_TEXT "Open the studio now"
!insertmacro MUI_PAGE_LICENSE "${BUNDLE}${SLASH}LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!define LISTED "Software\Microsoft\Windows\CurrentVersion\Uninstall\dpmap"

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_OK "dpmap needs a Windows of 64 bits."
    Abort
  ${EndIf}
FunctionEnd

Function OpenStudio
  ExecShell "open" "$INSTDIR\dpmap-studio.cmd"
FunctionEnd

Section "dpmap"
  ; An older dpmap goes first, so that no file of it stays among the new ones. Only its own two parts are removed, never the folder that somebody chose.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}${SLASH}*"
  File "${__FILEDIR__}${SLASH}dpmap-studio.cmd"
  File "${__FILEDIR__}${SLASH}icon.ico"
  WriteUninstaller "$INSTDIR\remove-dpmap.exe"
  CreateShortcut "$SMPROGRAMS\dpmap studio.lnk" "$INSTDIR\dpmap-studio.cmd" "" "$INSTDIR\icon.ico"
  WriteRegStr HKCU "Software\dpmap" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${LISTED}" "DisplayName" "dpmap"
  WriteRegStr HKCU "${LISTED}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${LISTED}" "Publisher" "The dpmap developers"
  WriteRegStr HKCU "${LISTED}" "DisplayIcon" "$INSTDIR\icon.ico"
  WriteRegStr HKCU "${LISTED}" "UninstallString" '"$INSTDIR\remove-dpmap.exe"'
  WriteRegDWORD HKCU "${LISTED}" "NoModify" 1
  WriteRegDWORD HKCU "${LISTED}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${LISTED}" "EstimatedSize" $0
SectionEnd

Section "Uninstall"
  ; What users made lies elsewhere and stays; a file that somebody put into this folder stays too, and with it the folder.
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\dpmap.exe"
  Delete "$INSTDIR\dpmap-studio.cmd"
  Delete "$INSTDIR\icon.ico"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\THIRD-PARTY-LICENCES.txt"
  Delete "$INSTDIR\remove-dpmap.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\dpmap studio.lnk"
  DeleteRegKey HKCU "${LISTED}"
  DeleteRegKey HKCU "Software\dpmap"
SectionEnd
