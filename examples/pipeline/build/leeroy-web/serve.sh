. ./pkg/package1.sh
greet
cat pkg/setup.txt
exec sleep 86400
