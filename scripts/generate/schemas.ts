/** The schemas that the migrations make. `extensions` holds nothing of ours. */
export const schemas = ['auth', 'private', 'public', 'realtime', 'storage']
