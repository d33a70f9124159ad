-- Up Migration
-- PostgreSQL lets everybody make temporary tables and functions. A function of the caller's own in a condition is told every row that
-- the condition is tried on, those of a view that are left out afterwards among them (GEN-35). Nothing of the product needs them.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end
$$;
