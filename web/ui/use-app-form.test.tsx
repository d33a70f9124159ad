import { MantineProvider, TextInput } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { useAppForm } from './use-app-form.ts'

function Form() {
  const form = useAppForm({
    initialValues: { email: '' },
    validate: { email: (value) => (value.includes('@') ? null : 'This is no address') },
  })
  return (
    <>
      <TextInput label="Email" {...form.getInputProps('email')} />
      <button type="button">Elsewhere</button>
    </>
  )
}

const show = () =>
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  )

it('shows no error on a field that wasn’t changed', async () => {
  show()
  await userEvent.click(screen.getByLabelText('Email'))
  await userEvent.tab()
  expect(screen.getByLabelText('Email')).not.toHaveFocus()
  expect(screen.queryByText('This is no address')).toBeNull()
})

describe('an invalid field that loses the focus [GEN-10]', () => {
  const told = () => screen.queryByText('This is no address')
  beforeEach(async () => {
    show()
    await userEvent.type(screen.getByLabelText('Email'), 'ada')
  })

  it('shows its error at once after Tab', async () => {
    await userEvent.tab()
    expect(told()).toBeVisible()
  })

  it('shows its error after a press, so that the pressed element doesn’t move', async () => {
    const user = userEvent.setup()
    await user.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('button') })
    expect(screen.getByLabelText('Email')).not.toHaveFocus()
    expect(told()).toBeNull()
    await user.pointer('[/MouseLeft]')
    expect(await screen.findByText('This is no address')).toBeVisible()
  })
})
