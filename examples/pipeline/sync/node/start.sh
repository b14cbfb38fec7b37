mkdir -p raw
cp src/*.js raw/
sh minify.sh raw min
exec sleep 86400
