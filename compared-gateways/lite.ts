export { serve } from '@hono/node-server'
export { App } from '@supabase/lite'
export { createPostgresConnection } from '@supabase/lite/postgres'
