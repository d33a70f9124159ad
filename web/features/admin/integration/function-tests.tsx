import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { integrationTexts } from '@ovation/contract/texts/integration'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { callFunction, FunctionFailure } from '../../../lib/api/functions.ts'
import classes from './integration.module.css'

const texts = integrationTexts.dashboard

type Name = keyof typeof texts.functions
type Field = keyof typeof texts.fields
type Values = Partial<Record<Field, string | number>>

/** The default arguments of each function (TEST-07, TEST-08). */
const defaults: Record<Name, Values> = {
  'check-stripe-status': {},
  'refresh-subscription-status': {},
  'create-stripe-connect-url': {},
  'test-platform-fees': { amountInCents: 1000 },
  'create-subscription-product': {
    name: texts.productName,
    description: texts.productDescription,
    price_cents: 999,
    interval: 'month',
  },
  'create-marketplace-payment': {
    amountInCents: 1000,
    sellerAccountId: '',
    paymentMethodId: 'pm_card_visa',
    description: texts.paymentDescription,
  },
}

/** TEST-05 */
export function FunctionTests() {
  return (
    <section className={`surface ${classes.section}`} aria-labelledby="functions">
      <div className={classes.head}>
        <h2 id="functions">{texts.title}</h2>
      </div>
      <Text c="dimmed">{texts.message}</Text>
      <div className={classes.functions}>
        {(Object.keys(defaults) as Name[]).map((name) => (
          <FunctionTest key={name} name={name} />
        ))}
      </div>
    </section>
  )
}

function FunctionTest({ name }: { name: Name }) {
  const [values, setValues] = useState(defaults[name])
  const body = name === 'create-stripe-connect-url' ? { origin: window.location.origin } : values
  const call = useMutation({ mutationFn: () => callFunction<unknown>(name, body) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    call.mutate()
  }
  const result = call.error ? refusalIn(call.error) : call.data

  return (
    <form className={classes.function} onSubmit={submit} aria-label={name}>
      <div className={classes.head}>
        <h3 className={classes.name}>{name}</h3>
        <Button type="submit" variant="default" size="xs" loading={call.isPending} aria-label={texts.runOf(name)}>
          {texts.run}
        </Button>
      </div>
      <Text size="sm" c="dimmed">
        {texts.functions[name]}
      </Text>
      {(Object.keys(defaults[name]) as Field[]).map((field) => (
        <FieldInput
          key={field}
          field={field}
          value={values[field] ?? ''}
          onChange={(value) => setValues({ ...values, [field]: value })}
        />
      ))}
      <div aria-live="polite">
        {result !== undefined && (
          <>
            <h4 className="visually-hidden">{texts.answerOf(name)}</h4>
            <pre className={classes.answer}>{JSON.stringify(result, null, 2)}</pre>
          </>
        )}
      </div>
    </form>
  )
}

type FieldProps = { field: Field; value: string | number; onChange: (value: string | number) => void }

function FieldInput({ field, value, onChange }: FieldProps) {
  const label = texts.fields[field]
  if (field === 'interval')
    return (
      <NativeSelect
        label={label}
        size="sm"
        data={Object.entries(texts.intervals).map(([interval, name]) => ({ value: interval, label: name }))}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (typeof value === 'number' || field === 'amountInCents' || field === 'price_cents')
    return (
      <TextInput
        type="number"
        step={1}
        label={label}
        size="sm"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? '' : Number(currentTarget.value))}
      />
    )
  return (
    <TextInput
      label={label}
      size="sm"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const refusalIn = (error: Error): unknown =>
  error instanceof FunctionFailure && error.answered ? error.refusal : { error: errorMessageOf(error) }
