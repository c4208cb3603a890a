import { plainForm, type TextForm } from './text-encoding.ts'

const forms: readonly TextForm[] = [
  plainForm,
  { encoding: 'utf-8', hasBom: true },
  { encoding: 'utf-16le', hasBom: true },
  { encoding: 'utf-16be', hasBom: true },
]

export function toStoredForm({ encoding, hasBom }: TextForm): string {
  return hasBom ? `${encoding} bom` : encoding
}

export function fromStoredForm(stored: string): TextForm {
  return forms.find((form) => toStoredForm(form) === stored) ?? plainForm
}
