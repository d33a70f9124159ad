/** What the viewer's own profile is asked for (API-REST-01). */
export const viewerColumns = 'id, username, display_name, avatar_url, is_creator, is_verified, role, updated_at'
