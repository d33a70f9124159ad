export type Dated = { id: string; created_at: string }

/** The filter for the rows after this one, newest first: older rows, and rows of the same time with a smaller id. */
export const keysetCursor = ({ id, created_at }: Dated, idColumn = 'id'): string =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",${idColumn}.lt.${id})`
