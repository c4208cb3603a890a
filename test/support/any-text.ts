import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCodePoint = 0x10ffff

const character = fc
  .noBias(fc.nat(lastCodePoint - surrogates.count))
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count))

/** Text of any characters of Unicode, as with `unit: 'binary'` of fast-check, which first spends seconds on a table of all of them. */
export function anyText(length: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc.array(character, length).map((characters) => characters.join(''))
}

/** A JSON value with such texts as its strings and names. */
export function anyJson(maxDepth = 4): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth },
      fc.oneof(
        anyText(),
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value')),
      fc.dictionary(fc.oneof(anyText(), fc.string()), tie('value')),
    ),
  }))
  return value
}
