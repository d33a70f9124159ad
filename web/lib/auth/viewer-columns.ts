/** The columns of the viewer's own profile (API-REST-01). */
export const viewerColumns = 'id, username, display_name, avatar_url, is_creator, is_verified, role, updated_at'
