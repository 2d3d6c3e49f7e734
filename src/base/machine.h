/* What the processor can do. */
#ifndef TSRI_BASE_MACHINE_H
#define TSRI_BASE_MACHINE_H

/* Instruction sets, each containing those before it. */
typedef enum tsri_level { TSRI_BASELINE, TSRI_AVX2, TSRI_AVX512, TSRI_LEVEL_END } tsri_level;

/* The best one of this machine. */
tsri_level tsri_machine_level(void);
/* For tests: from now on this machine has no better one. */
void tsri_machine_limit(tsri_level level);

#endif
