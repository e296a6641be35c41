# Stands in for `caddy:2`. Its program has the same file capability as that of the image.
FROM localhost/stand-in-base
COPY caddy /usr/bin/caddy
RUN setcap cap_net_bind_service=+ep /usr/bin/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
