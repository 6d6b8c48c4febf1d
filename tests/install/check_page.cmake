# Fails unless PAGE holds the text of PROGRAM.
file(READ ${PAGE} page)
file(READ ${PROGRAM} program)
string(FIND "${page}" "${program}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not hold ${PROGRAM} as it is")
endif()
