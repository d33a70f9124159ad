import type Stripe from 'stripe'

/**
 * An SDK type as it travels and as the sandbox stores it: an expandable field holds its id,
 * a decimal is text. Every shape in `resources/` is checked by the compiler against the SDK through this type.
 */
export type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends readonly (infer Item)[]
    ? WireField<Item>[]
    : T extends object
      ? { [Key in keyof T]: WireField<T[Key]> }
      : T

/** `string | Customer | null` is `string | null` on the wire. */
type WireField<T> = string extends Extract<T, string> ? Exclude<T, object> : Wire<T>
