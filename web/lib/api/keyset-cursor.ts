export type Dated = { id: string; created_at: string }

/** The condition of what comes after a row where the newest come first: what is older, and of the same moment what has a smaller id. */
export const keysetCursor = ({ id, created_at }: Dated, idColumn = 'id'): string =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",${idColumn}.lt.${id})`
