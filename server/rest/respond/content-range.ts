/** `Content-Range: 0-24/3573`; a star where there is nothing to say. */
export function renderContentRange(first: number, last: number, total: number | undefined): string {
  const range = total !== 0 && first <= last ? `${first}-${last}` : '*'
  return `${range}/${total ?? '*'}`
}

/** 206 when there are more rows than in this answer; 416 when the range begins beyond the end. */
export function rangeStatus(first: number, last: number, total: number | undefined): 200 | 206 | 416 {
  if (total === undefined) return 200
  if (first > total && first > 0) return 416
  return 1 + last - first < total ? 206 : 200
}
