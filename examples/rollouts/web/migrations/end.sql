UPDATE schema_state SET version = current_setting('shop.version')::INT WHERE current_setting('shop.stage') = 'mid';
