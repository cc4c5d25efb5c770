#!/bin/sh
# Wraps the program for macOS: macos.sh BUNDLE VERSION APP-FOLDER OUT.dmg. Needs codesign and hdiutil, which every Mac has.
# An application of macOS has no window of text of its own, so the icon opens Terminal with the studio in it: its address and any error are seen there.
set -eu
bundle=$1 version=$2 folder=$3 out=$4
here=$(cd "$(dirname "$0")" && pwd)
app=$folder/dpmap.app
rm -rf "$folder"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp -R "$bundle" "$app/Contents/Resources/program"
sed "s/@VERSION@/$version/" "$here/Info.plist" >"$app/Contents/Info.plist"
cp "$here/icon.icns" "$app/Contents/Resources/icon.icns"
cp "$here/dpmap-studio" "$app/Contents/Resources/dpmap-studio.command"
cp "$here/open-studio" "$app/Contents/MacOS/open-studio"
chmod 755 "$app/Contents/MacOS/open-studio" "$app/Contents/Resources/dpmap-studio.command"
# Without a paid certificate the signature is nobody's: it keeps the parts together, and the first start needs a right click and "Open".
if command -v codesign >/dev/null; then codesign --force --deep --sign - "$app"; fi
ln -s /Applications "$folder/Applications"
cp "$bundle/LICENSE.txt" "$bundle/THIRD-PARTY-LICENCES.txt" "$folder"
if command -v hdiutil >/dev/null; then
  hdiutil create -quiet -volname "dpmap $version" -srcfolder "$folder" -ov -format UDZO "$out"
else
  echo "hdiutil is not here: the application is made, the disk image is not" >&2
fi
