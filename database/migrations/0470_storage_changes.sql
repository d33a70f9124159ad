-- Up Migration
-- Servers keep rows of storage that downloads ask for (server/storage/known-rows.ts), and hear here which changed. A new row tells nobody:
-- nothing was known of it.
create function storage.tell_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'TRUNCATE' then
    perform pg_notify('ovation_storage', '');
  elsif tg_table_name = 'buckets' then
    perform pg_notify('ovation_storage', old.id);
  else
    perform pg_notify('ovation_storage', old.bucket_id || '/' || old.name);
  end if;
  return null;
end;
$$;
comment on function storage.tell_change is 'Says on ovation_storage which row changed or went: `bucket/name` of an object, the id of a bucket, nothing for all of them.';
create trigger buckets_tell_change after update or delete on storage.buckets
  for each row execute function storage.tell_change();
create trigger buckets_tell_truncate after truncate on storage.buckets
  for each statement execute function storage.tell_change();
create trigger objects_tell_change after update or delete on storage.objects
  for each row execute function storage.tell_change();
create trigger objects_tell_truncate after truncate on storage.objects
  for each statement execute function storage.tell_change();
