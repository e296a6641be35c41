# Stands in for `versity/versitygw`.
FROM localhost/stand-in-base
COPY versitygw /usr/local/bin/versitygw
ENTRYPOINT ["/usr/local/bin/versitygw"]
