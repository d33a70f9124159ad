-- Up Migration
-- Row changes reach only those who may read the row (API-RT-04). A row that is still there is asked for by its key, as the receiver.
-- A deleted one can't be asked for any more, so it is put back for a moment, out of everybody's sight, and taken away again.

-- Not security definer: the owner calls it, for only the session's own user may take on one role after another.
create function realtime.who_saw(p_table regclass, p_seen_as regclass, p_key text[], p_row jsonb, p_callers jsonb) returns boolean[]
language plpgsql set search_path = ''
as $$
declare
  v_columns   text;
  v_condition text;
  v_caller    jsonb;
  v_saw_it    boolean;
  v_answers   boolean[] := '{}';
begin
  select string_agg(quote_ident(a.attname), ', ') into v_columns
  from pg_catalog.pg_attribute a
  where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  select string_agg(format('%I = %L', k.name, p_row ->> k.name), ' and ') into v_condition from unnest(p_key) k (name);
  begin
    -- As a replica: no trigger fires, no foreign key is asked. The subtransaction ends in an error, which undoes all of it.
    perform set_config('session_replication_role', 'replica', true);
    execute format(
      'insert into %1$s (%2$s) overriding system value select %2$s from pg_catalog.jsonb_populate_record(null::%1$s, $1) on conflict do nothing',
      p_table, v_columns
    ) using p_row;
    for v_caller in select c.value from jsonb_array_elements(p_callers) with ordinality c (value, position) order by c.position loop
      perform set_config('request.jwt.claims', v_caller ->> 'claims', true), set_config('role', v_caller ->> 'role', true);
      execute format('select exists (select from %s where %s)', p_seen_as, v_condition) into v_saw_it;
      perform set_config('role', 'none', true);
      v_answers := v_answers || v_saw_it;
    end loop;
    raise exception 'taken back' using errcode = 'PT205';
  exception when sqlstate 'PT205' then
    null; -- the answers stay: variables are not undone
  end;
  return v_answers;
end;
$$;
comment on function realtime.who_saw is 'For each caller {role, claims}, whether they could read this row before it was deleted. p_seen_as is the table or view that clients know.';
revoke execute on function realtime.who_saw from service_role; -- the log reader alone asks this
