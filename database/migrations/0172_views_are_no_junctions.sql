-- Up Migration
-- A key made of two foreign keys reads as a many-to-many relationship: `posts?select=creator:profiles(…)` (API-REST-23) could then
-- mean the author or those who looked, and rest/v1 rightly refuses to guess (PGRST201). Who looked is nobody's to embed.
alter table public.post_views drop constraint post_views_pkey;
alter table public.post_views add column id bigint generated always as identity primary key;
alter table public.post_views add constraint post_views_once_a_day unique (post_id, viewer_id, viewed_on);
alter table public.profile_views drop constraint profile_views_pkey;
alter table public.profile_views add column id bigint generated always as identity primary key;
alter table public.profile_views add constraint profile_views_once_a_day unique (profile_id, viewer_id, viewed_on);
