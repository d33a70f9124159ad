import { messageTexts } from '@ovation/contract/texts/messages'
import { useEffect, useRef } from 'react'
import { PriceInput } from '../../ui/price-input.tsx'
import classes from './message-composer.module.css'

const texts = messageTexts.compose

type Props = { value: number | string; onChange: (value: number | string) => void; wrong: boolean }

/** MSG-05: from 0, in cents. Loads with the first paid message. */
export default function PriceField({ value, onChange, wrong }: Props) {
  const input = useRef<HTMLInputElement>(null)
  // Focused, because it appears above the button that opened it, and keyboard users would miss it. The same applies when it is wrong.
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (wrong) input.current?.focus()
  }, [wrong])
  return (
    <PriceInput
      ref={input}
      className={classes.price}
      label={texts.price}
      description={texts.priceHint}
      hideControls={false}
      min={0}
      step={0.01}
      value={value}
      onChange={onChange}
      error={wrong && texts.priceWrong}
    />
  )
}
