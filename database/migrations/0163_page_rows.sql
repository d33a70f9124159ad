-- Up Migration
-- How many rows a page has. The planner takes a function for a thousand rows unless told, and then joins a page with the whole of a
-- table instead of looking its rows up.
alter function public.get_feed(int, timestamptz, uuid) rows 20;
alter function public.discover_creators(text, text, text, int, int) rows 24;
alter function public.get_conversations(text, int, timestamptz, uuid) rows 30;
alter function public.search_profiles(text, int) rows 20;
