import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  supportCategories,
  supportEmailMaxLength,
  supportMessageMaxLength,
  supportNameMaxLength,
  supportPriorities,
  supportSubjectMaxLength,
} from '@ovation/contract/limits'
import { supportTexts } from '@ovation/contract/texts/support'
import type { Ref } from 'react'
import { FormFailure } from '../../ui/form-failure.tsx'
import classes from './request-form.module.css'
import type { SupportForm } from './use-support-form.ts'

const texts = supportTexts.form
const categories = [
  { value: '', label: texts.noCategory },
  ...supportCategories.map((category) => ({ value: category, label: category })),
]
const priorities = supportPriorities.map((priority) => ({ value: priority, label: texts.priorities[priority] }))

type Props = { support: SupportForm; categoryRef: Ref<HTMLSelectElement> }

/** SUPP-05..SUPP-10 */
export function RequestForm({ support: { form, submit, pending, failed, missing }, categoryRef }: Props) {
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.pair}>
        <TextInput
          label={texts.name}
          required
          autoComplete="name"
          maxLength={supportNameMaxLength}
          readOnly={pending}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={texts.email}
          type="email"
          required
          autoComplete="email"
          maxLength={supportEmailMaxLength}
          readOnly={pending}
          {...form.getInputProps('email')}
        />
      </div>
      <TextInput
        label={texts.subject}
        required
        maxLength={supportSubjectMaxLength}
        readOnly={pending}
        {...form.getInputProps('subject')}
      />
      <div className={classes.pair}>
        <NativeSelect
          ref={categoryRef}
          label={texts.category}
          data={categories}
          disabled={pending}
          {...form.getInputProps('category')}
        />
        <NativeSelect label={texts.priority} data={priorities} disabled={pending} {...form.getInputProps('priority')} />
      </div>
      <Textarea
        label={texts.message}
        required
        rows={6}
        maxLength={supportMessageMaxLength}
        readOnly={pending}
        {...form.getInputProps('message')}
      />
      <div>
        <FormFailure title={texts.missing.title} message={missing ? texts.missing.message : undefined} />
        <FormFailure title={texts.failed.title} message={failed ? texts.failed.message : undefined} />
        <Button type="submit" disabled={pending} className={classes.submit}>
          {pending ? texts.submitting : texts.submit}
        </Button>
      </div>
    </form>
  )
}
