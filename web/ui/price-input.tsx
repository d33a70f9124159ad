import { NumberInput, type NumberInputProps } from '@mantine/core'

/** An amount of money, typed in dollars with two decimals. `centsOf` converts it for the server. */
export const PriceInput = (props: NumberInputProps) => (
  <NumberInput
    prefix="$"
    thousandSeparator=","
    decimalScale={2}
    fixedDecimalScale
    allowNegative={false}
    hideControls
    {...props}
  />
)
