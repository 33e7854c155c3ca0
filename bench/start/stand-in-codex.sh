#!/usr/bin/env bash
# Stands in for Codex where only our own time is measured: says when it was started, and ends its turn at once.
now=$EPOCHREALTIME
case "$1" in
  --version) echo "codex-cli @VERSION@" ;;
  exec)
    echo "$now" >> "@STARTED@"
    cat > /dev/null
    echo '{"type":"thread.started","thread_id":"0199f5a0-1111-7000-8000-000000000001"}'
    echo '{"type":"turn.started"}'
    echo '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Done."}}'
    echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'
    ;;
esac
