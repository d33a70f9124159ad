import {
  NumberInput,
  type NumberInputProps,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { productDescriptionMaxLength, productNameMaxLength, trialMaxDays } from '@ovation/contract/limits'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'

const texts = subscriptionProductsTexts.form

type NameProps = { name: TextInputProps; description: TextareaProps; readOnly: boolean }

/** PROD-02, PROD-04 */
export function ProductNameFields({ name, description, readOnly }: NameProps) {
  return (
    <>
      <TextInput label={texts.name} required maxLength={productNameMaxLength} readOnly={readOnly} {...name} />
      <Textarea
        label={texts.description.label}
        description={texts.description.hint}
        rows={3}
        maxLength={productDescriptionMaxLength}
        readOnly={readOnly}
        {...description}
      />
    </>
  )
}

/** LOOP-15 */
export function BenefitsField(props: TextareaProps) {
  return <Textarea label={texts.benefits.label} description={texts.benefits.hint} rows={4} {...props} />
}

/** PROD-11 */
export function TrialField(props: NumberInputProps) {
  return (
    <NumberInput
      label={texts.trial.label}
      description={texts.trial.hint}
      allowDecimal={false}
      allowNegative={false}
      max={trialMaxDays}
      clampBehavior="none"
      hideControls
      inputMode="numeric"
      {...props}
    />
  )
}
