-- Up Migration
-- What arrives in pieces over S3 may be packed as well as what arrives whole: how is kept from its beginning to its end.
alter table private.uploads
  add column content_encoding text,
  add constraint uploads_content_encoding_check check (length(content_encoding) <= 255);
