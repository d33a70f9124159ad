/** A route's parameters for one object: `/:bucket/*`. */
export type ObjectPath = { readonly bucket: string; readonly '*': string }

export const objectPathSchema = {
  type: 'object',
  required: ['bucket', '*'],
  properties: { bucket: { type: 'string', minLength: 1 }, '*': { type: 'string', minLength: 1 } },
} as const
