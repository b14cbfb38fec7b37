echo 'hello'
exec sleep 86400
