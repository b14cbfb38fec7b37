echo 'hello from leeroy-app'
exec sleep 86400
